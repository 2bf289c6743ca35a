//! The times of an article are real, by the server's own clock.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::times::{date_of, near};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "articles.times.real",
            "created_at tells when the article was written and updated_at when it last changed, in UTC: both lie within five minutes of the Date header of the first answer that shows them.",
            "RFC 9110, section 6.6.1; openapi.yaml, info.description, Conventions, and ArticleSummary",
            articles,
        )
        .needs(JOBS),
    ]
}

async fn articles(context: Context, _: Value) -> Verdict {
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, "Setting a watch right")).await?;
    let date = date_of(&article)?;
    near(demand::json(&article)?, "created_at", date)?;
    near(demand::json(&article)?, "updated_at", date)
}
