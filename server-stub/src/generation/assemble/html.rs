//! Renders Markdown as sanitised HTML with anchored headings, and derives the outline and the number of words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::written_article::{OutlineEntry, slugify};

/// Allowed elements. Other elements are removed but their text is kept, except for scripts and styles.
const ALLOWED_ELEMENTS: [&str; 23] = [
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "img",
    "em",
    "strong",
    "br",
    "hr",
    "del",
];
/// Elements that do not separate words. All other elements do.
const INLINE_ELEMENTS: [&str; 5] = ["a", "code", "em", "strong", "del"];

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from(ALLOWED_ELEMENTS))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("img", HashSet::from(["src", "alt"])),
            ("h2", HashSet::from(["id"])),
            ("h3", HashSet::from(["id"])),
            ("h4", HashSet::from(["id"])),
            ("ol", HashSet::from(["start"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer"))
        .attribute_filter(|element, attribute, value| {
            (element != "img" || attribute != "src" || value.starts_with("https://")).then(|| value.into())
        });
    builder
});

/// A rendered body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Sanitised HTML.
    pub html: String,
    /// Headings of the body.
    pub outline: Vec<OutlineEntry>,
}

/// Renders and sanitises a body. Each heading gets a unique anchor.
pub fn render(markdown: &str) -> Rendered {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let mut outline = Vec::new();
    let mut used = HashSet::new();
    for start in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = &events[start] else { continue };
        let level = *level;
        let text = heading_text(&events[start + 1..]);
        let anchor = unique_anchor(&text, &mut used);
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(anchor.clone()));
        }
        outline.push(OutlineEntry { level: level as u8, text, anchor });
    }
    let mut html = String::with_capacity(markdown.len() * 2);
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    Rendered { html: sanitise(&html), outline }
}

/// Keeps the allowed elements, attributes and URL schemes. Idempotent.
pub fn sanitise(html: &str) -> String {
    SANITISER.clean(html).to_string()
}

/// Returns the number of words in the text of sanitised HTML. A word is a segment of Unicode Standard Annex #29 that has a letter or
/// a digit. Block elements separate words.
pub fn count_words(html: &str) -> u32 {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let name = rest[start + 1..end].trim_start_matches('/');
        let name = &name[..name.find(|next: char| !next.is_ascii_alphanumeric()).unwrap_or(name.len())];
        if !INLINE_ELEMENTS.contains(&name) {
            text.push(' ');
        }
        rest = &rest[end..];
    }
    text.push_str(rest);
    // The sanitiser writes only these entities.
    let entities = [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let text = entities.iter().fold(text, |text, (entity, meaning)| text.replace(entity, meaning));
    u32::try_from(text.unicode_words().count()).unwrap_or(u32::MAX)
}

fn heading_text(events: &[Event<'_>]) -> String {
    let inside = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inside
        .filter_map(|event| match event {
            Event::Text(text) => Some(&**text),
            Event::SoftBreak | Event::HardBreak => Some(" "),
            _ => None,
        })
        .collect()
}

fn unique_anchor(text: &str, used: &mut HashSet<String>) -> String {
    let base = match slugify(text) {
        fallback if fallback == "article" => "section".to_owned(),
        slug => slug,
    };
    let mut anchor = base.clone();
    let mut number = 2;
    while !used.insert(anchor.clone()) {
        anchor = format!("{base}-{number}");
        number += 1;
    }
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_content_is_removed_and_sanitising_is_idempotent() {
        let html = sanitise(
            "<h2 id=\"a\" onclick=\"x()\">A</h2><script>x</script><a href=\"javascript:x()\">l</a><img src=\"http://a/b\" alt=\"c\"><p style=\"x\">t</p>",
        );
        assert_eq!(html, "<h2 id=\"a\">A</h2><a rel=\"noopener noreferrer\">l</a><img alt=\"c\"><p>t</p>");
        assert_eq!(sanitise(&html), html);
    }

    #[test]
    fn words_are_separated_by_blocks_and_not_by_emphasis() {
        for (html, words) in [
            ("<p>one t<em>w</em>o</p><ul><li>three</li><li>four&nbsp;five</li></ul>", 5),
            ("<p>R&amp;D isn't 3.5 &lt;well-known&gt; – !</p>", 6),
            ("<p>\u{5317}\u{4eac}\u{6b22}\u{8fce}\u{4f60}\u{3002}</p>", 5),
            ("", 0),
        ] {
            assert_eq!(count_words(html), words, "{html}");
        }
    }

    #[test]
    fn equal_headings_get_different_anchors() {
        let rendered = render("## Plan\n\ntext\n\n## Plan\n");
        assert_eq!(rendered.outline.iter().map(|entry| entry.anchor.as_str()).collect::<Vec<_>>(), ["plan", "plan-2"]);
        assert!(rendered.html.contains("<h2 id=\"plan-2\">"));
    }
}
