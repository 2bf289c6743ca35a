//! Text into HTML: escaping, Markdown, anchors.

use pulldown_cmark::html::push_html;
use pulldown_cmark::{BrokenLink, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Escapes text for HTML or an attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the anchor of a heading, as GitHub makes it: lower case, words joined by hyphens.
pub(super) fn anchor(text: &str) -> String {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Renders Markdown with tables as HTML. Headings get anchors and begin at `top`.
pub(super) fn markdown(text: &str, top: HeadingLevel) -> String {
    html(parse(text), top)
}

/// Parses Markdown with tables. A reference without a definition is a link to nowhere, as rustdoc's links to items are.
pub(super) fn parse(text: &str) -> Vec<Event<'_>> {
    let undefined = |_: BrokenLink<'_>| Some((CowStr::from("undefined:"), CowStr::from("")));
    Parser::new_with_broken_link_callback(text, Options::ENABLE_TABLES, Some(undefined)).collect()
}

/// Renders parsed Markdown as HTML. Headings get anchors and begin at `top`.
pub(super) fn html(mut events: Vec<Event<'_>>, top: HeadingLevel) -> String {
    let shift = top as usize - 1;
    let mut index = 0;
    while index < events.len() {
        if let Event::Start(Tag::Heading { level, .. }) = events[index] {
            let id = anchor(&heading_text(&events[index + 1..]));
            let level = deeper(level, shift);
            events[index] = Event::Start(Tag::Heading {
                level,
                id: Some(CowStr::from(id)),
                classes: Vec::new(),
                attrs: Vec::new(),
            });
        } else if let Event::End(TagEnd::Heading(level)) = events[index] {
            events[index] = Event::End(TagEnd::Heading(deeper(level, shift)));
        }
        index += 1;
    }
    let mut output = String::new();
    push_html(&mut output, events.into_iter());
    output
}

/// A single paragraph of Markdown without the paragraph around it.
pub(super) fn inline(text: &str) -> String {
    let html = markdown(text, HeadingLevel::H1);
    let trimmed = html.trim();
    match trimmed.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>")) {
        Some(inner) if !inner.contains("<p>") => inner.to_owned(),
        _ => trimmed.to_owned(),
    }
}

/// The headings of level 2 of a Markdown text, with their anchors.
pub(super) fn headings(text: &str) -> Vec<(String, String)> {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let starts = events
        .iter()
        .enumerate()
        .filter(|(_, event)| matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H2, .. })));
    starts
        .map(|(index, _)| {
            let heading = heading_text(&events[index + 1..]);
            let anchor = anchor(&heading);
            (heading, anchor)
        })
        .collect()
}

fn heading_text(events: &[Event<'_>]) -> String {
    let inside = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let texts = inside.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}

fn deeper(level: HeadingLevel, shift: usize) -> HeadingLevel {
    HeadingLevel::try_from((level as usize + shift).min(6)).expect("a level between 1 and 6 is one")
}
