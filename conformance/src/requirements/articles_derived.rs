//! What is derived from an article's text and from others: headings, links, structured data.
//!
//! Its counts and its HTML are in `articles_text`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::capability::Capability;
use super::context::Context;
use super::demand;
use super::requirement::{Cases, Requirement};
use super::steps;
use super::steps_lists::{self, ARTICLES};
use super::verdict::{Halt, Verdict, ensure};
use crate::strategies::{Draw, Space};

const JOBS: &[Capability] = &[Capability::Jobs];
const LISTS: &[Capability] = &[Capability::Jobs, Capability::Articles];
const SOURCE: &str = "openapi.yaml, Article, x-conformance";

/// Pages of published articles that a link is looked for on.
const PAGES: usize = 20;

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
        Requirement::must(
            "articles.links.published",
            "internal_links names only published articles of the same website.",
            "openapi.yaml, Article, x-conformance article-links",
            links,
        )
        .needs(LISTS),
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

/// An article that others can link to.
async fn publish(context: &Context, topic: &str) -> Verdict {
    let (_, article) = steps::written(context, &steps::published_request(context, topic)).await?;
    let id = demand::text(demand::json(&article)?, "id")?.to_owned();
    let deadline = Instant::now() + context.facts().ready_within;
    while Instant::now() < deadline {
        let article = context.send(steps::get_article(&id)).await?;
        if demand::json(&article)?["status"] == "published" {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(Halt::inconclusive("the article to link to was not published in time"))
}

async fn links(context: Context, _: Value) -> Verdict {
    let topic = "Choosing a lamp for reading";
    publish(&context, topic).await?;
    let (_, article) = steps::written(&context, &steps::quiet_request(&context, topic)).await?;
    let article = demand::json(&article)?;
    let mut links: Vec<String> = Vec::new();
    for link in article["internal_links"].as_array().into_iter().flatten() {
        links.push(demand::text(link, "url")?.to_owned());
    }
    let base = format!("limit=100&status=published&website_id={}", steps::segment(&context.facts().website_id));
    let mut query = base.clone();
    for _ in 0..PAGES {
        let exchange = steps_lists::page(&context, ARTICLES, &query).await?;
        let page = demand::json(&exchange)?;
        links.retain(|link| steps_lists::rows(page).iter().all(|row| row["url"] != link.as_str()));
        match steps_lists::next_of(page).filter(|_| !links.is_empty()) {
            Some(next) => query = steps_lists::with_token(&base, next),
            None => return ensure(links.is_empty(), "links to published articles of the website", || links.join(", ")),
        }
    }
    Err(Halt::inconclusive("there are more published articles than can be looked through"))
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
