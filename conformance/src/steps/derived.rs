//! Steps that request a plain article of 800 words and check the fields that are derived from its text.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict, demand};
use crate::steps::{self, orders::plain};

/// Capabilities that a requirement about an article's text needs.
pub(crate) const JOBS: &[Capability] = &[Capability::JOBS];

/// Returns a requirement that `judge` accepts an article of 800 words.
pub(crate) fn derived(
    id: &'static str,
    clause: &'static str,
    sources: &'static [Source],
    judge: fn(&Value) -> Verdict,
) -> Requirement {
    Requirement::new(id, clause, sources, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = json!(800);
        let (_, article) = steps::written_once(&context, &body).await?;
        judge(demand::json(&article)?)
    })
    .needs(JOBS)
    .drawn("plain topics", Cases::Divided(32), plain)
}
