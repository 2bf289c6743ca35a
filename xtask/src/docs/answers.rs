//! The responses of an operation: successes with their headers and examples, problems as a table.

use super::constraint::{link, reference};
use super::markup::{escape, inline};
use super::node::Node;
use super::{sample, schema};

/// The media type of an answer for people.
const PAGE: &str = "text/html";
/// Says that an answer can be a page.
const AS_PAGE: &str = "Answered to browsers as a page, <code>text/html</code>.";

/// Successes in full, then problems as one table.
pub(super) fn section(document: &Node, operation: &Node) -> String {
    let mut successes = String::new();
    let mut problems = String::new();
    for (status, response) in operation.members_of("responses") {
        let response = document.resolve(response);
        if response.get("x-codes").is_some() {
            problems.push_str(&problem_rows(document, status, response));
        } else {
            successes.push_str(&success(document, status, response));
        }
    }
    let problems = if problems.is_empty() {
        String::new()
    } else {
        format!(
            "<h4>Problems</h4><div class=\"wide\"><table class=\"problems\"><tbody>{problems}</tbody></table></div>"
        )
    };
    format!("<h4>Answers</h4>{successes}{problems}")
}

/// The examples of the request and of the successes, for the side of the page.
pub(super) fn examples(document: &Node, operation: &Node) -> String {
    let mut output = String::new();
    if let Some(body) = operation.get("requestBody") {
        output.push_str(&examples_of(body, "Request"));
    }
    for (status, response) in operation.members_of("responses") {
        let response = document.resolve(response);
        if response.get("x-codes").is_none() {
            output.push_str(&examples_of(response, status));
        }
    }
    output
}

fn examples_of(part: &Node, label: &str) -> String {
    let mut output = String::new();
    let content = part.members_of("content");
    for (media_type, content) in content.iter().filter(|(media_type, _)| media_type != PAGE) {
        let label = if is_only_kind(part) { label.to_owned() } else { format!("{label} · {media_type}") };
        let label = label.as_str();
        for (_, example) in content.members_of("examples") {
            let summary = example.text("summary").unwrap_or_default();
            output.push_str(&one_example(label, summary, example.get("value")));
        }
        if content.get("example").is_some() {
            output.push_str(&one_example(label, "", content.get("example")));
        }
    }
    output
}

/// Returns true if a part has one media type beside a page for people.
fn is_only_kind(part: &Node) -> bool {
    part.members_of("content").iter().filter(|(media_type, _)| media_type != PAGE).count() == 1
}

fn one_example(label: &str, summary: &str, value: Option<&Node>) -> String {
    let Some(value) = value else { return String::new() };
    let separator = if summary.is_empty() { "" } else { " · " };
    format!(
        "<figure><figcaption>{}{separator}{}</figcaption>{}</figure>",
        escape(label),
        escape(summary),
        sample::block(value)
    )
}

fn success(document: &Node, status: &str, response: &Node) -> String {
    let description = inline(response.text("description").unwrap_or_default());
    let content = response.members_of("content");
    let named = content.first().and_then(|(_, content)| reference(content.get("schema")?));
    let page = content.iter().any(|(media_type, _)| media_type == PAGE);
    let page = if page { format!("<p class=\"soft\">{AS_PAGE}</p>") } else { String::new() };
    let body = named.map(|reference| {
        let table = document.follow(reference).map(schema::body).unwrap_or_default();
        // A link inside the summary would leave unclear what a key press does.
        format!("<details><summary>Body</summary><p class=\"soft\">Schema: {}</p>{table}</details>", link(reference))
    });
    let headers: Vec<_> = response
        .members_of("headers")
        .iter()
        .map(|(name, header)| header_row(name, document.resolve(header)))
        .collect();
    let headers = if headers.is_empty() {
        String::new()
    } else {
        format!(
            "<details><summary>Headers</summary><div class=\"wide\"><table class=\"properties\"><tbody>{}</tbody></table></div></details>",
            headers.concat()
        )
    };
    format!(
        "<div class=\"answer\"><p><span class=\"status good\">{status}</span> {description}</p>{}{page}{headers}</div>",
        body.unwrap_or_default()
    )
}

fn header_row(name: &str, header: &Node) -> String {
    let example = header.get("example").map(Node::plain).unwrap_or_default();
    let need = if header.is_true("required") { "<span class=\"required\">always</span>" } else { "" };
    format!(
        "<tr><th><code>{}</code>{need}</th><td>{}<div class=\"soft\">e.g. <code>{}</code></div></td></tr>",
        escape(name),
        inline(header.text("description").unwrap_or_default()),
        escape(&example)
    )
}

fn problem_rows(document: &Node, status: &str, response: &Node) -> String {
    let table = document.get("x-problem-codes");
    let codes = response.items_of("x-codes").iter().filter_map(Node::as_text);
    let rows: Vec<_> = codes
        .map(|code| {
            let meaning = table.and_then(|table| table.get(code)?.text("description")).unwrap_or_default();
            let shown = if status == "default" { "else" } else { status };
            format!(
                "<tr><th><span class=\"status bad\">{shown}</span></th><td><a href=\"#problem-{code}\"><code>{code}</code></a><br>{}</td></tr>",
                inline(meaning)
            )
        })
        .collect();
    rows.concat()
}
