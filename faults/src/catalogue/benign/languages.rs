//! Equivalent forms of an article's language.

use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::body;

/// Prefixes of irregular tags, which keep their registered form.
const IRREGULAR: [&str; 3] = ["i-", "sgn-", "en-gb-oed"];

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.language-lower",
        "language is written in lower case: letter case does not matter in the document and in RFC 5646 2.1.1.",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_articles(response, request, |article| edit(article, lower)))
    .hook(|hook, _, _| body::edit_article_of_event(hook, |article| edit(article, lower))),
    variant(
        "benign.language-first-subtag",
        "language is the first subtag of the request: \"The article's `language` always begins with the same subtag\".",
        Profile::Full,
    )
    .response(|response, request, _| body::edit_articles(response, request, |article| edit(article, first_subtag)))
    .hook(|hook, _, _| body::edit_article_of_event(hook, |article| edit(article, first_subtag))),
];

/// Changes the language, also in `json_ld`.
fn edit(article: &mut Value, change: fn(&str) -> String) {
    let former = body::text(article, "language").to_owned();
    let lower = former.to_ascii_lowercase();
    if IRREGULAR.iter().any(|begin| lower.starts_with(begin)) {
        return;
    }
    body::edit_text(article, "language", change);
    if let Some(told) = article.pointer_mut("/json_ld/@graph/0/inLanguage").filter(|told| **told == former.as_str()) {
        *told = json!(change(&former));
    }
}

fn lower(tag: &str) -> String {
    tag.to_ascii_lowercase()
}

/// A subtag of one letter has no meaning alone.
fn first_subtag(tag: &str) -> String {
    let first = tag.split('-').next().unwrap_or_default();
    if first.len() > 1 { first.to_owned() } else { tag.to_owned() }
}
