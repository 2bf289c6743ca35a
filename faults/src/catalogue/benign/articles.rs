//! Other valid content of an article.

use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use super::super::fault::{Fault, Profile, variant};
use super::body::{self, entries_mut};

/// Suffix that the publishing site adds to addresses.
const QUERY: &str = "?from=feed";

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.faq-statements",
        "Questions end without a question mark, or with \u{ff1f}: the document only says that they are plain text.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, state_questions)),
    variant(
        "benign.json-ld-nodes",
        "json_ld has more nodes and more fields: JsonLd allows them, and only says which nodes come first.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, add_nodes)),
    variant(
        "benign.url-other",
        "url has a query after the slug: it is the address \"as the place where it was published reports it\".",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_articles(response, request, edit_url))
    .hook(|hook, _, _| body::edit_article_of_event(hook, edit_url)),
    variant("benign.word-count-near", "word_count is 1 % too high: the document allows 2 %.", Profile::Full)
        .response(|response, request, _| body::edit_articles(response, request, count_more))
        .hook(|hook, _, _| body::edit_article_of_event(hook, count_more)),
    variant(
        "benign.keywords-decomposed",
        "The text has the letters of keywords decomposed: the document calls both Unicode forms the same.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_article(response, request, decompose_keywords)),
    variant(
        "benign.other-writer",
        "The writer is a model, and the voice report has a rule that does not apply: the document leaves both open.",
        Profile::Full,
    )
    .response(|response, request, _| {
        body::edit_article(response, request, |article| {
            article["generator"] = json!("llm:example/writer-7.1");
            if let Some(checks) = article.pointer_mut("/voice/checks").and_then(Value::as_array_mut) {
                checks.push(json!({ "rule": "rhythm", "passed": true, "expected": "at most 9", "observed": null }));
            }
        });
    }),
];

/// The Markdown and the HTML have the same text.
fn decompose_keywords(article: &mut Value) {
    let keywords = article["keywords"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let forms = keywords.map(|keyword| (keyword.nfc().collect::<String>(), keyword.nfd().collect::<String>()));
    let forms: Vec<_> = forms.filter(|(composed, _)| !composed.is_ascii()).collect();
    for field in ["content_markdown", "content_html"] {
        body::edit_text(article, field, |text| {
            forms.iter().fold(text.to_owned(), |text, (composed, decomposed)| text.replace(composed, decomposed))
        });
    }
}

/// Removes the mark of a question, or uses a full-width mark for every second one.
fn statement(question: &str, index: usize) -> String {
    let words = question.trim_end_matches(['?', '\u{ff1f}', '\u{61f}', ' ']);
    if words.is_empty() {
        return question.to_owned();
    }
    if index.is_multiple_of(2) { words.to_owned() } else { format!("{words}\u{ff1f}") }
}

fn state_questions(article: &mut Value) {
    for (index, entry) in entries_mut(article, "faq").enumerate() {
        body::edit_text(entry, "question", |question| statement(question, index));
    }
    let nodes = article.get_mut("json_ld").into_iter().flat_map(|graph| entries_mut(graph, "@graph"));
    for page in nodes.filter(|node| node["@type"] == "FAQPage") {
        for (index, entry) in entries_mut(page, "mainEntity").enumerate() {
            body::edit_text(entry, "name", |question| statement(question, index));
        }
    }
}

fn add_nodes(article: &mut Value) {
    let Some(nodes) = article.pointer_mut("/json_ld/@graph").and_then(Value::as_array_mut) else { return };
    if let Some(post) = nodes.first_mut() {
        post["author"] = json!({ "@type": "Person", "name": "A. Baker" });
        post["keywords"] = json!(["rye", "bread"]);
        post["isAccessibleForFree"] = json!(true);
    }
    let crumb = json!({ "@type": "ListItem", "position": 1, "name": "Blog", "item": null });
    nodes.push(json!({ "@type": "BreadcrumbList", "itemListElement": [crumb] }));
    nodes.push(json!({ "@type": "Organization", "@id": "#us", "name": "Harbour Bakery", "sameAs": [], "logo": null }));
}

fn with_query(url: &str) -> String {
    if url.contains(['?', '#']) { url.to_owned() } else { format!("{url}{QUERY}") }
}

fn edit_url(article: &mut Value) {
    let own = body::text(article, "url").to_owned();
    body::edit_text(article, "url", with_query);
    if let Some(graph) = article.get_mut("json_ld").filter(|_| !own.is_empty()) {
        replace(graph, &own);
    }
    let mut links = Vec::new();
    for link in entries_mut(article, "internal_links") {
        links.push(body::text(link, "url").to_owned());
        body::edit_text(link, "url", with_query);
    }
    for link in links.iter().filter(|link| !link.is_empty()) {
        let other = with_query(link);
        let in_markdown = |text: &str| text.replace(&format!("]({link})"), &format!("]({other})"));
        body::edit_text(article, "content_markdown", in_markdown);
        let in_html = |html: &str| html.replace(&format!("href=\"{link}\""), &format!("href=\"{other}\""));
        body::edit_text(article, "content_html", in_html);
    }
}

/// Replaces `url` wherever it is a separate word.
fn replace(value: &mut Value, url: &str) {
    match value {
        Value::String(text) if text == url => *text = with_query(url),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, url)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, url)),
        _ => {}
    }
}

fn count_more(article: &mut Value) {
    if let Some(count) = article.get("word_count").and_then(Value::as_u64) {
        let more = count + count / 100;
        article["word_count"] = json!(more);
        article["reading_time_minutes"] = json!(more.div_ceil(275).max(1));
    }
}
