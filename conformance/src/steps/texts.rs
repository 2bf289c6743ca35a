//! Texts of articles: steps that request an article of some length and check its text, and passages that identify the text on its page and
//! in payloads.

use serde_json::{Value, json};

use super::calls;
use super::draws::plain;
use crate::check::{Capability, Cases, Context, Halt, Requirement, Source, Verdict, demand, markdown};
use crate::strategies::{Draw, Space};

/// Capabilities that a requirement about an article's text needs.
const JOBS: &[Capability] = &[Capability::JOBS];

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
        judge(article(&context, &case).await?).await
    })
    .needs(JOBS)
    .drawn("plain topics and lengths", Cases::Divided(16), draw_order)
}

/// Draws a plain topic and one of four lengths in words.
fn draw_order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 317, 800, 1_200][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// Draws a plain topic and one of four lengths in words, with longer ones than [`draw_order`].
pub(crate) fn order(space: &Space, draw: &mut Draw) -> Value {
    let words = [200, 450, 1_200, 2_500][draw.index() % 4];
    json!({ "topic": space.plain_topic(draw), "words": words })
}

/// Requests the article that a case describes, once in a run, and returns it.
pub(crate) async fn article(context: &Context, case: &Value) -> Result<Value, Halt> {
    let mut body = calls::quiet_request(context, calls::topic_of(case));
    body["target_word_count"] = case["words"].clone();
    let (_, article) = calls::written_once(context, &body).await?;
    Ok(demand::json(&article)?.clone())
}

/// Returns a requirement that `judge` accepts an article of 800 words.
pub(crate) fn derived(
    id: &'static str,
    clause: &'static str,
    sources: &'static [Source],
    judge: fn(&Value) -> Verdict,
) -> Requirement {
    Requirement::new(id, clause, sources, move |context: Context, case: Value| async move {
        let case = json!({ "topic": calls::topic_of(&case), "words": 800 });
        judge(&article(&context, &case).await?)
    })
    .needs(JOBS)
    .drawn("plain topics", Cases::Divided(32), plain)
}

/// Minimum number of letters and digits of a passage. Headings and items of lists are shorter, and summaries may repeat them.
const PASSAGE: usize = 80;
/// Fields that sum an article up. Lists and webhooks may repeat them.
const SUMMARIES: [&str; 4] = ["title", "excerpt", "meta_title", "meta_description"];

/// Returns the letters and digits of a text. Pages set all other characters in their own way.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Returns the letters and digits of each long block of an article's text that no summary repeats.
pub(crate) fn passages(article: &Value) -> Vec<String> {
    let summaries: Vec<String> =
        SUMMARIES.iter().map(|field| letters(article[*field].as_str().unwrap_or_default())).collect();
    let blocks = markdown::blocks(article["content_markdown"].as_str().unwrap_or_default());
    let is_passage = |block: &String| {
        let begin: String = block.chars().take(PASSAGE).collect();
        block.chars().count() >= PASSAGE && !summaries.iter().any(|summary| summary.contains(&begin))
    };
    blocks.iter().map(|block| letters(block)).filter(is_passage).collect()
}

/// Returns the fields of an article that are plain text, each with its place.
pub(crate) fn plain_texts(article: &Value) -> Vec<(String, String)> {
    let mut places: Vec<String> =
        ["/title", "/excerpt", "/meta_title", "/meta_description"].map(ToOwned::to_owned).to_vec();
    let count = |list: &str| article[list].as_array().map_or(0, Vec::len);
    places.extend((0..count("outline")).map(|number| format!("/outline/{number}/text")));
    for field in ["question", "answer"] {
        places.extend((0..count("faq")).map(|number| format!("/faq/{number}/{field}")));
    }
    let text = |place: String| article.pointer(&place)?.as_str().map(|text| (place.clone(), text.to_owned()));
    places.into_iter().filter_map(text).collect()
}

/// Returns the first character reference that escapes a character for markup, if the text has one.
pub(crate) fn escape_in(text: &str) -> Option<&'static str> {
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#x27;", "&apos;"].into_iter().find(|escape| text.contains(*escape))
}
