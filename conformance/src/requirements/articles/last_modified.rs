//! `Last-Modified` of an article follows its changes.

use crate::check::About as _;
use chrono::DateTime;
use serde_json::Value;

use crate::check::{Capability, Context, Halt, Requirement, Verdict, demand, ensure};
use crate::steps::publishing::{SKEW, published, scheduled};
use crate::steps::times::{moment, written_at};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.last-modified.follows-change",
            "Last-Modified tells when the article last changed: for a published article it equals updated_at, give or take a second.",
            "RFC 9110, section 8.8.2; openapi.yaml, Last-Modified",
            last_modified,
        )
        .needs(JOBS).background(),
    ]
}

async fn last_modified(context: Context, _: Value) -> Verdict {
    let (_, early) = scheduled(&context, "Dating a letter").await?;
    let late = published(&context, &early).await?;
    let updated = moment(demand::json(&late)?, "updated_at")?;
    let told = demand::header(&late, "last-modified")?;
    let modified = DateTime::parse_from_rfc2822(told)
        .map_err(|_| Halt::fail("an HTTP date in Last-Modified", told).about(&late))?;
    let apart = (modified.timestamp() - updated.timestamp()).abs();
    ensure(apart <= SKEW.num_seconds(), format!("Last-Modified at {}", written_at(updated)), || told.to_owned())
        .about(&late)
}
