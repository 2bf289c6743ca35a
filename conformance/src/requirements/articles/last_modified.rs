//! `Last-Modified` of an article follows its changes.

use chrono::DateTime;
use serde_json::Value;

use crate::check::Source::{Part, Sentence, Standard};
use crate::check::{About as _, Capability, Context, Halt, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps::publishing::{SKEW, published, scheduled};
use crate::steps::times::{moment, written_at};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.last-modified.follows-change",
            "Last-Modified, if present, is the time of the article's last change: for a published article it is within a second of updated_at.",
            &[
                Sentence("When the article last changed, as an HTTP date."),
                Sentence("When it last changed."),
                Part("/paths/~1api~1v1~1articles~1{id}/get/responses/200/headers/Last-Modified"),
                Standard("RFC 9110", "8.8.2"),
            ],
            last_modified,
        )
        .needs(JOBS)
        .background(),
    ]
}

async fn last_modified(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Dating a letter").await?;
    let late = published(&context, &early).await?;
    let updated = moment(demand::json(&late)?, "updated_at")?;
    let shown = late.header("last-modified");
    ensure_met(shown.is_some(), "the response with the article has no Last-Modified")?;
    let shown = shown.unwrap_or_default();
    let modified = DateTime::parse_from_rfc2822(shown)
        .map_err(|_| Halt::fail("an HTTP date in Last-Modified", shown).about(&late))?;
    let apart = (modified.timestamp() - updated.timestamp()).abs();
    ensure(apart <= SKEW.num_seconds(), format!("Last-Modified at {}", written_at(updated)), || shown.to_owned())
        .about(&late)
}
