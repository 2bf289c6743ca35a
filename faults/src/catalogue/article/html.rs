//! The HTML of an article, and the outline that is made of it.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text, entries_mut};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "article.headings-without-ids",
        "The sanitiser takes the ids of the headings away.",
        &["articles.html.outline"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| edit_headings(article, |_| None));
    }),
    fault("article.unsanitised", "Event handlers stay in the HTML.", &["articles.html.safe"]).response(
        |response, request, _| {
            edit_article(response, request, |article| edit_text(article, "content_html", with_handler));
        },
    ),
    fault("article.outline-short", "The outline lacks its last heading.", &["articles.html.outline"]).response(
        |response, request, _| {
            edit_article(response, request, |article| {
                article.get_mut("outline").and_then(Value::as_array_mut).map(Vec::pop);
            });
        },
    ),
    fault(
        "article.anchors-twice",
        "Anchors of the outline are numbered from one in each section.",
        &["articles.html.outline"],
    )
    .response(|response, request, _| edit_article(response, request, number_anchors)),
    fault("article.anchors-other", "Anchors of the outline are not those of the HTML.", &["articles.html.outline"])
        .response(|response, request, _| {
            edit_article(response, request, |article| {
                for entry in entries_mut(article, "outline") {
                    edit_text(entry, "anchor", |anchor| format!("h-{anchor}"));
                }
            });
        }),
];

/// The HTML with an event handler on its first tag.
fn with_handler(html: &str) -> String {
    let name = html.find('<').map_or(0, |open| open + 1);
    let end = html[name..].find(|letter: char| !letter.is_ascii_alphanumeric()).map_or(html.len(), |end| name + end);
    format!("{} onclick=\"track()\"{}", &html[..end], &html[end..])
}

/// Each section begins with a heading of the second level; its headings are `part-1`, `part-2`, …, in the HTML too.
fn number_anchors(article: &mut Value) {
    let mut anchors = Vec::new();
    let mut number = 0;
    for entry in entries_mut(article, "outline") {
        number = if entry["level"] == 2 { 1 } else { number + 1 };
        let anchor = format!("part-{number}");
        entry["anchor"] = json!(anchor);
        anchors.push(anchor);
    }
    edit_headings(article, |index| anchors.get(index).cloned());
}

/// Gives each heading of the HTML the id that `id` says for its number, counted from 0, or none.
fn edit_headings(article: &mut Value, id: impl Fn(usize) -> Option<String>) {
    edit_text(article, "content_html", |html| {
        let mut edited = String::with_capacity(html.len());
        let (mut rest, mut index) = (html, 0);
        while let Some((before, tag, after)) = next_heading(rest) {
            edited.push_str(before);
            edited.push_str(&with_id(tag, id(index).as_deref()));
            (rest, index) = (after, index + 1);
        }
        edited + rest
    });
}

/// What stands before the next opening tag of a heading, that tag, and what follows.
fn next_heading(html: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + html[from..].find("<h")?;
        let tag = &html[start..];
        if tag.as_bytes().get(2).is_some_and(u8::is_ascii_digit) {
            let end = start + tag.find('>')? + 1;
            return Some((&html[..start], &html[start..end], &html[end..]));
        }
        from = start + 2;
    }
}

/// An opening tag such as `<h2 id="a" class="b">` with another id.
fn with_id(tag: &str, id: Option<&str>) -> String {
    let (name, attributes) = tag.trim_end_matches('>').split_at(3.min(tag.len() - 1));
    let mut attributes = attributes.to_owned();
    if let Some(start) = attributes.find(" id=") {
        let value = &attributes[start + 4..];
        let length = match value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
            Some(quote) => value[1..].find(quote).map(|end| end + 2),
            None => value.find(char::is_whitespace),
        };
        attributes.replace_range(start..start + 4 + length.unwrap_or(value.len()), "");
    }
    let id = id.map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
    format!("{name}{id}{attributes}>")
}

#[cfg(test)]
mod tests {
    use super::{next_heading, with_handler, with_id};

    #[test]
    fn ids_of_headings_are_changed_and_taken_away() {
        assert_eq!(with_id("<h2 id=\"a b\" class=x>", None), "<h2 class=x>");
        assert_eq!(with_id("<h3 class='x' id=a>", Some("b")), "<h3 id=\"b\" class='x'>");
        assert_eq!(with_id("<h3>", Some("b")), "<h3 id=\"b\">");
        assert_eq!(next_heading("<p>a</p><hr><h2 id=a>b"), Some(("<p>a</p><hr>", "<h2 id=a>", "b")));
        assert_eq!(next_heading("<p>a</p>"), None);
    }

    #[test]
    fn a_handler_stands_on_the_first_tag() {
        assert_eq!(with_handler("<p class=x>a</p>"), "<p onclick=\"track()\" class=x>a</p>");
        assert_eq!(with_handler("<h2>a</h2>"), "<h2 onclick=\"track()\">a</h2>");
    }
}
