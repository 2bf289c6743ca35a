//! What is derived from an article's text: headings, structured data.
//!
//! Its counts and its HTML are in `articles_text`, its links in `articles_links`.

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const SOURCE: &str = "openapi.yaml, Article, x-conformance";

pub(super) fn requirements() -> Vec<Requirement> {
    vec![
        derived(
            "articles.markdown.outline",
            "outline equals the headings of content_markdown, level by level.",
            markdown_outline,
        ),
        derived("articles.json-ld.first-node", "The first node of json_ld is a BlogPosting.", first_node),
        derived(
            "articles.json-ld.same-story",
            "json_ld tells what the article tells: the headline is the title, and the FAQPage has its questions.",
            same_story,
        )
        .should(),
    ]
}

fn derived(id: &'static str, clause: &'static str, judge: fn(&Value) -> Verdict) -> Requirement {
    Requirement::must(id, clause, SOURCE, move |context: Context, case: Value| async move {
        let mut body = steps::quiet_request(&context, steps::topic_of(&case));
        body["target_word_count"] = json!(800);
        let (_, article) = steps::written(&context, &body).await?;
        judge(demand::json(&article)?)
    })
    .needs(JOBS)
    .drawn(
        "plain topics",
        Cases::Divided(32),
        |space: &Space, draw: &mut Draw| json!({ "topic": space.plain_topic(draw) }),
    )
}

/// The levels of the headings that begin with number signs, outside of fences; `None` where others may be.
fn levels(markdown: &str) -> Option<Vec<usize>> {
    let (mut levels, mut fenced, mut before) = (Vec::new(), false, "");
    for line in markdown.lines() {
        let text = line.trim_start();
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
        }
        let signs = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_indented = line.len() - text.len() > 3;
        let is_heading = (1..=6).contains(&signs) && text[signs..].starts_with([' ', '\t']) && !is_indented && !fenced;
        if is_heading {
            levels.push(signs);
        }
        let is_rule =
            !text.is_empty() && (text.bytes().all(|byte| byte == b'-') || text.bytes().all(|byte| byte == b'='));
        if is_rule && !fenced && !before.trim().is_empty() {
            return None;
        }
        before = if is_heading || fenced { "" } else { line };
    }
    Some(levels)
}

fn markdown_outline(article: &Value) -> Verdict {
    let Some(levels) = levels(demand::text(article, "content_markdown")?) else {
        return Err(Halt::inconclusive("the Markdown has headings that are underlined"));
    };
    let outline: Vec<Value> =
        article["outline"].as_array().into_iter().flatten().map(|entry| entry["level"].clone()).collect();
    demand::same("levels of the outline", &json!(levels), &Value::Array(outline))
}

fn first_node(article: &Value) -> Verdict {
    demand::same("@type of the first node", &json!("BlogPosting"), &article["json_ld"]["@graph"][0]["@type"])
}

fn same_story(article: &Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    let node = |kind: &str| graph.iter().find(|node| node["@type"] == kind);
    let headline = node("BlogPosting").map(|node| node["headline"].clone()).unwrap_or_default();
    demand::same("headline", &article["title"], &headline)?;
    let asked: Vec<&Value> = article["faq"].as_array().into_iter().flatten().map(|entry| &entry["question"]).collect();
    let told: Vec<&Value> = node("FAQPage")
        .and_then(|node| node["mainEntity"].as_array())
        .into_iter()
        .flatten()
        .map(|question| &question["name"])
        .collect();
    ensure(asked == told, "the questions of faq in the FAQPage", || format!("{} and {}", asked.len(), told.len()))
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn headings_are_read_outside_of_fences() {
        assert_eq!(levels("## A\n\ntext\n\n```\n# no\n```\n### B\n\n---\n"), Some(vec![2, 3]));
        assert_eq!(levels("A\n---\n"), None);
        assert_eq!(levels("#no\n    ## no\n| a |\n|---|\n"), Some(vec![]));
    }
}
