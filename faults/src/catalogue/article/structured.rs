//! Faults in structured data, questions and links.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, entries_mut};

pub(super) const FAULTS: &[Fault] = &[
    fault("article.faq-page-first", "The FAQPage comes before the BlogPosting.", &["articles.json-ld.first-node"])
        .response(|response, request, _| {
            edit_article(response, request, |article| {
                edit_graph(article, |graph| graph.sort_by_key(|node| node["@type"] != "FAQPage"));
            });
        }),
    fault(
        "article.headline-topic",
        "The headline of the structured data is the topic.",
        &["articles.json-ld.same-story"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| {
            let topic = article["topic"].clone();
            edit_nodes(article, "BlogPosting", |node| node["headline"] = topic.clone());
        });
    }),
    fault("article.faq-page-short", "The FAQPage lacks the last question.", &["articles.json-ld.same-story"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                edit_nodes(article, "FAQPage", |node| {
                    node["mainEntity"].as_array_mut().map(Vec::pop);
                });
            });
        },
    ),
    fault("article.no-faq-page", "json_ld lacks the FAQPage.", &["articles.json-ld.graph"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                edit_graph(article, |graph| graph.retain(|node| node["@type"] != "FAQPage"));
            });
        },
    ),
    fault(
        "article.links-to-come",
        "internal_links contain articles that are only planned.",
        &["articles.links.published"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| add_link(article, "Coming soon"));
    }),
    fault("article.links-unnamed", "internal_links have no text.", &["articles.links.internal"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                if entries_mut(article, "internal_links").next().is_none() {
                    add_link(article, "");
                }
                entries_mut(article, "internal_links").for_each(|link| link["anchor_text"] = json!(""));
            });
        },
    ),
];

fn edit_graph(article: &mut Value, edit: impl FnOnce(&mut Vec<Value>)) {
    if let Some(graph) = article["json_ld"].get_mut("@graph").and_then(Value::as_array_mut) {
        edit(graph);
    }
}

/// Changes every node of a type.
fn edit_nodes(article: &mut Value, kind: &str, edit: impl FnMut(&mut Value)) {
    edit_graph(article, |graph| graph.iter_mut().filter(|node| node["@type"] == kind).for_each(edit));
}

/// Adds a link to a page of the same site that is not published yet.
fn add_link(article: &mut Value, text: &str) {
    let known = ["canonical_url", "url"].iter().find_map(|name| article[*name].as_str());
    let base = known.and_then(|url| url.rsplit_once('/')).map_or("https://planned.example", |(base, _)| base);
    let link = json!({ "url": format!("{base}/coming-soon"), "anchor_text": text });
    if let Some(links) = article.get_mut("internal_links").and_then(Value::as_array_mut) {
        links.push(link);
    }
}
