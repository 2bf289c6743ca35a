//! Times of an article by the server's own clock.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{About as _, Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::times::{date_of, moment, written_at};

const JOBS: &[Capability] = &[Capability::JOBS];

/// Maximum difference between a time and the response that has it: less than the offset of any zone from UTC.
const NEAR: chrono::Duration = chrono::Duration::minutes(5);

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "articles.times.real",
            "created_at is when the article was written and updated_at when it last changed, in UTC: for a new article both are within five minutes of the Date header of the first response that has them, or earlier by the time that the suite waited for quotas.",
            &[
                Sentence("When the article was written."),
                Sentence("When it last changed."),
                Sentence("Times in responses are RFC 3339 in UTC with milliseconds and `Z`, as in `2026-11-02T08:00:00.000Z`."),
                Standard("RFC 9110", "6.6.1"),
            ],
            articles,
        )
        .needs(JOBS),
    ]
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Setting a watch right")).await?;
    let date = date_of(&article)?;
    let waited = chrono::Duration::from_std(context.waited_for_quotas()).unwrap_or_default();
    for field in ["created_at", "updated_at"] {
        let shown = moment(demand::json(&article)?, field)?;
        let is_near = shown <= date + NEAR && shown >= date - NEAR - waited;
        ensure(is_near, format!("{field} within five minutes of the response's Date"), || {
            format!("{} and {}", written_at(shown), written_at(date))
        })
        .about(&article)?;
    }
    Ok(())
}
