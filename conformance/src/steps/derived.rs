//! What is derived from an article's text, asked for in a plain order.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps::{self, orders::plain};

/// Where what is judged here stands.
pub(crate) const SOURCE: &str = "openapi.yaml, Article, x-conformance";

/// What it takes to have an article written.
pub(crate) const JOBS: &[Capability] = &[Capability::JOBS];

/// The requirement that `judge` finds nothing wrong with an article of 800 words.
pub(crate) fn derived(id: &'static str, clause: &'static str, judge: fn(&Value) -> Verdict) -> Requirement {
    Requirement::must(id, clause, SOURCE, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = json!(800);
        let (_, article) = steps::written_once(&context, &body).await?;
        judge(demand::json(&article)?)
    })
    .needs(JOBS)
    .drawn("plain topics", Cases::Divided(32), plain)
}
