//! The structured data of an article tells the same story as the article.

use serde_json::{Value, json};

use crate::check::{Requirement, Verdict, demand, ensure};
use crate::steps::derived::derived;
use crate::steps::written::text;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        derived("articles.json-ld.first-node", "The first node of json_ld is a BlogPosting.", first_node),
        derived(
            "articles.json-ld.same-story",
            "json_ld agrees with the article: headline is the title, and FAQPage holds the questions of faq.",
            same_story,
        )
        .should(),
        text(
            "articles.json-ld.graph",
            "json_ld is an object with @context and a @graph that holds a BlogPosting, and a FAQPage when there are questions.",
            json_ld,
        ),
    ]
}

pub(super) fn first_node(article: &Value) -> Verdict {
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

pub(super) async fn json_ld(article: Value) -> Verdict {
    let graph = article["json_ld"]["@graph"].as_array().cloned().unwrap_or_default();
    ensure(!article["json_ld"]["@context"].is_null(), "@context in json_ld", || demand::brief(&article["json_ld"]))?;
    let types: Vec<&str> = graph.iter().filter_map(|node| node["@type"].as_str()).collect();
    ensure(types.contains(&"BlogPosting"), "a BlogPosting in @graph", || types.join(", "))?;
    let asks = article["faq"].as_array().is_some_and(|faq| !faq.is_empty());
    ensure(types.contains(&"FAQPage") == asks, "a FAQPage exactly when there are questions", || types.join(", "))
}
