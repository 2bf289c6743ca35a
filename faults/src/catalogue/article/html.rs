//! Faults in the HTML of an article and its outline.

use std::ops::Range;

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_text, entries_mut};

pub(super) const FAULTS: &[Fault] = &[
    fault("article.headings-without-ids", "The sanitiser removes the ids of headings.", &["articles.html.outline"])
        .response(|response, request, _| {
            edit_article(response, request, |article| edit_headings(article, |_| None));
        }),
    fault("article.unsanitised", "The sanitiser keeps event handlers.", &["articles.html.safe"]).response(
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
        "The anchors of the outline restart at one in each section.",
        &["articles.html.outline"],
    )
    .response(|response, request, _| edit_article(response, request, number_anchors)),
    fault(
        "article.anchors-other",
        "The anchors of the outline differ from those of the HTML.",
        &["articles.html.outline"],
    )
    .response(|response, request, _| {
        edit_article(response, request, |article| {
            for entry in entries_mut(article, "outline") {
                edit_text(entry, "anchor", |anchor| format!("h-{anchor}"));
            }
        });
    }),
];

/// Adds an event handler to the first tag of the HTML.
fn with_handler(html: &str) -> String {
    let Some(tag) = next_tag(html, 0) else { return html.to_owned() };
    let end = tag.start + 1 + name_of(&html[tag]).len();
    format!("{} onclick=\"track()\"{}", &html[..end], &html[end..])
}

/// Numbers the headings of each section as `part-1`, `part-2`, …, in the HTML too. A second-level heading begins a
/// section.
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

/// Gives each heading of the HTML the id that `id` returns for its number, counted from 0, if any.
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

/// Splits the HTML at the next opening heading tag: text before, tag, rest.
fn next_heading(html: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let tag = next_tag(html, from)?;
        if matches!(name_of(&html[tag.clone()]).as_bytes(), [b'h' | b'H', b'1'..=b'6']) {
            return Some((&html[..tag.start], &html[tag.clone()], &html[tag.end..]));
        }
        from = tag.end;
    }
}

/// Returns the range of the next opening tag, from `<` to `>`. Skips comments.
fn next_tag(html: &str, mut from: usize) -> Option<Range<usize>> {
    loop {
        let start = from + html[from..].find('<')?;
        let tag = &html[start..];
        if let Some(comment) = tag.strip_prefix("<!--") {
            from = start + 4 + comment.find("-->")?;
        } else if tag.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) {
            return Some(start..start + tag_length(tag)?);
        } else {
            from = start + 1;
        }
    }
}

/// Returns the length of the tag at the start of `html`. A `>` within quotation marks does not end it.
fn tag_length(html: &str) -> Option<usize> {
    let mut quote = None;
    let end = html.find(|letter: char| {
        match quote {
            Some(open) if open == letter => quote = None,
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            _ => {}
        }
        letter == '>' && quote.is_none()
    })?;
    Some(end + 1)
}

/// Returns the name of an opening tag.
fn name_of(tag: &str) -> &str {
    tag[1..]
        .split(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>'))
        .next()
        .unwrap_or_default()
}

/// Replaces the id in an opening tag such as `<h2 id="a" class="b">`.
fn with_id(tag: &str, id: Option<&str>) -> String {
    let tag = tag.strip_suffix('>').unwrap_or(tag);
    let (name, attributes) = tag.split_at(1 + name_of(tag).len());
    let mut attributes = attributes.to_owned();
    if let Some(former) = id_attribute(&attributes) {
        attributes.replace_range(former, "");
    }
    let id = id.map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
    format!("{name}{id}{attributes}>")
}

/// Returns the range of the attribute `id`, with the white space before it.
fn id_attribute(attributes: &str) -> Option<Range<usize>> {
    let skip = |from: usize, is_skipped: fn(char) -> bool| {
        attributes[from..].find(|letter| !is_skipped(letter)).map_or(attributes.len(), |length| from + length)
    };
    let mut start = 0;
    while start < attributes.len() {
        let name = skip(start, |letter| letter.is_ascii_whitespace() || letter == '/');
        let name_end = skip(name, |letter| !letter.is_ascii_whitespace() && !matches!(letter, '/' | '='));
        let equals = skip(name_end, |letter| letter.is_ascii_whitespace());
        let mut end = name_end;
        if attributes[equals..].starts_with('=') {
            let value = skip(equals + 1, |letter| letter.is_ascii_whitespace());
            end = match attributes[value..].chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
                Some(quote) => {
                    attributes[value + 1..].find(quote).map_or(attributes.len(), |length| value + length + 2)
                }
                None => skip(value, |letter| !letter.is_ascii_whitespace()),
            };
        }
        if attributes[name..name_end].eq_ignore_ascii_case("id") {
            return Some(start..end);
        }
        start = end;
    }
    None
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
        assert_eq!(with_id("<H2\n data-id=\"c\" ID = 'a'>", Some("b")), "<H2 id=\"b\"\n data-id=\"c\">");
        assert_eq!(next_heading("<!-- <h2> --><H2 a='>'>b"), Some(("<!-- <h2> -->", "<H2 a='>'>", "b")));
    }

    #[test]
    fn a_handler_stands_on_the_first_tag() {
        assert_eq!(with_handler("<p class=x>a</p>"), "<p onclick=\"track()\" class=x>a</p>");
        assert_eq!(with_handler("<h2>a</h2>"), "<h2 onclick=\"track()\">a</h2>");
        let led = "<!doctype html>\n<!-- <b> --> 1 < 2 ";
        assert_eq!(with_handler(&format!("{led}<x-y>")), format!("{led}<x-y onclick=\"track()\">"));
        assert_eq!(with_handler("text"), "text");
    }
}
