//! The table of problems, and a page for each kind of problem. Which operation answers which is read from the document.

use super::edition::Edition;
use super::markup::{escape, inline};
use super::node::Node;
use super::operation::Operation;
use super::sample;

/// The table of all problems, for the reference, each with its examples.
pub(super) fn table(document: &Node, edition: Edition) -> String {
    let rows: Vec<_> = document
        .members_of("x-problem-codes")
        .iter()
        .map(|(code, row)| {
            let examples = with_examples(document, code, "<details><summary>Examples</summary>", "</details>");
            format!(
                "<tr><th id=\"problem-{code}\"><a href=\"{}\"><code>{code}</code></a></th><td><span class=\"status bad\">{}</span></td><td>{}</td><td>{}{}</td></tr>",
                edition.problem_page(code),
                row.get("status").map(Node::plain).unwrap_or_default(),
                advice(row),
                inline(row.text("description").unwrap_or_default()),
                examples,
            )
        })
        .collect();
    format!(
        "<div class=\"wide\"><table class=\"grid\"><thead><tr><th>Code</th><th>Status</th><th>What to do</th><th>When</th></tr></thead><tbody>{}</tbody></table></div>",
        rows.concat()
    )
}

/// The pages of all problems: their codes and the bodies of the pages.
pub(super) fn pages(document: &Node) -> Vec<(String, String)> {
    document.members_of("x-problem-codes").iter().map(|(code, row)| (code.clone(), page(document, code, row))).collect()
}

fn page(document: &Node, code: &str, row: &Node) -> String {
    let answers: Vec<_> = Operation::of(document, "paths")
        .iter()
        .filter(|operation| responses(document, operation.node).any(|response| names(response, code)))
        .map(|operation| format!("<li><a href=\"../index.html#{0}\"><code>{0}</code></a></li>", operation.id()))
        .collect();
    let operations =
        if answers.is_empty() { String::new() } else { format!("<h2>Answered by</h2><ul>{}</ul>", answers.concat()) };
    format!(
        "<p class=\"route\"><span class=\"status bad\">{}</span> <code>{code}</code></p><h1>{}</h1><p>{}</p><p><strong>What to do:</strong> {}</p>\
         <p><strong>Type:</strong> <code>{}</code></p>{}{operations}<p><a href=\"../index.html#problems\">All problems</a></p>",
        row.get("status").map(Node::plain).unwrap_or_default(),
        escape(row.text("title").unwrap_or_default()),
        inline(row.text("description").unwrap_or_default()),
        advice(row),
        escape(row.text("type").unwrap_or_default()),
        with_examples(document, code, "<h2>Examples</h2>", ""),
    )
}

fn advice(row: &Node) -> &'static str {
    if row.is_true("retryable") { "Try again later" } else { "Change the request first" }
}

fn responses<'tree>(document: &'tree Node, operation: &'tree Node) -> impl Iterator<Item = &'tree Node> {
    operation.members_of("responses").iter().map(|(_, response)| document.resolve(response))
}

fn names(response: &Node, code: &str) -> bool {
    response.items_of("x-codes").iter().any(|entry| entry.as_text() == Some(code))
}

/// The examples between what introduces and what ends them; nothing without an example.
fn with_examples(document: &Node, code: &str, begin: &str, end: &str) -> String {
    let examples = examples(document, code);
    if examples.is_empty() { String::new() } else { format!("{begin}{examples}{end}") }
}

/// How the problem looks in the responses of the document, as listings; empty without an example.
fn examples(document: &Node, code: &str) -> String {
    let responses = document.get("components").map(|components| components.members_of("responses"));
    let values = responses.unwrap_or_default().iter().filter_map(|(_, response)| {
        response.get("content")?.get("application/problem+json")?.get("examples")?.get(code)?.get("value")
    });
    let mut listings = String::new();
    for listing in values.map(sample::block) {
        // Responses of several operations may share an example.
        if !listings.contains(&listing) {
            listings.push_str(&listing);
        }
    }
    listings
}
