//! Articles whose text is looked at.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::strategies::{Draw, Space};

/// Where what is judged here stands.
pub(crate) const SOURCE: &str = "openapi.yaml, Article, x-conformance";

/// What it takes to have an article written.
pub(crate) const JOBS: &[Capability] = &[Capability::JOBS];

/// The requirement that `judge` finds nothing wrong with articles of several lengths.
pub(crate) fn text<Run>(id: &'static str, clause: &'static str, judge: fn(Value) -> Run) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    Requirement::must(id, clause, SOURCE, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = case["words"].clone();
        let (_, article) = steps::written_once(&context, &body).await?;
        judge(demand::json(&article)?.clone()).await
    })
    .needs(JOBS)
    .drawn("plain topics and lengths", Cases::Divided(16), draw_order)
}

/// A plain topic, and one of four lengths in words.
pub(crate) fn draw_order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 317, 800, 1_200][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// The same with longer ones.
pub(crate) fn order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 450, 1_200, 2_500][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// The article that a case orders.
pub(crate) async fn article(context: &Context, case: &Value) -> Result<Value, crate::check::Halt> {
    let mut body = steps::quiet_request(context, steps::topic_of(case));
    body["target_word_count"] = case["words"].clone();
    let (_, article) = steps::written_once(context, &body).await?;
    Ok(demand::json(&article)?.clone())
}
