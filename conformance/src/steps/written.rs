//! Steps that request an article of a drawn length and check its text.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Requirement, Source, Verdict, demand};
use crate::steps;
use crate::strategies::{Draw, Space};

/// Capabilities that a requirement about an article's text needs.
pub(crate) const JOBS: &[Capability] = &[Capability::JOBS];

/// Returns a requirement that `judge` accepts articles of several lengths.
pub(crate) fn text<Run>(
    id: &'static str,
    clause: &'static str,
    sources: &'static [Source],
    judge: fn(Value) -> Run,
) -> Requirement
where
    Run: Future<Output = Verdict> + Send + 'static,
{
    Requirement::new(id, clause, sources, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = case["words"].clone();
        let (_, article) = steps::written_once(&context, &body).await?;
        judge(demand::json(&article)?.clone()).await
    })
    .needs(JOBS)
    .drawn("plain topics and lengths", Cases::Divided(16), draw_order)
}

/// Draws a plain topic and one of four lengths in words.
pub(crate) fn draw_order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 317, 800, 1_200][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// Draws a plain topic and one of four lengths in words, with longer ones than [`draw_order`].
pub(crate) fn order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 450, 1_200, 2_500][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// Requests the article that a case describes, once in a run, and returns it.
pub(crate) async fn article(context: &Context, case: &Value) -> Result<Value, crate::check::Halt> {
    let mut body = steps::quiet_request(context, steps::topic_of(case));
    body["target_word_count"] = case["words"].clone();
    let (_, article) = steps::written_once(context, &body).await?;
    Ok(demand::json(&article)?.clone())
}
