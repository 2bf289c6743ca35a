//! Converts plain text to `CommonMark` without mark-up. `html` renders it.

use std::collections::HashSet;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// Returns the text with one space between words. Keeps non-breaking spaces.
pub fn single_spaced(text: &str) -> String {
    let ends_word = |character: char| character.is_whitespace() && !matches!(character, '\u{a0}' | '\u{202f}');
    text.split(ends_word).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Escapes plain text so that Markdown shows it unchanged: collapses white space, escapes mark-up, leaves no raw `<` or `>`.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let words = single_spaced(text);
    for (at, character) in words.char_indices() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => push_escaped(&mut escaped, character),
            '#' | '+' | '-' | '=' | ':' if at == 0 => push_escaped(&mut escaped, character),
            '.' | ')' if at > 0 && words[..at].bytes().all(|byte| byte.is_ascii_digit()) => {
                push_escaped(&mut escaped, character);
            }
            '#' if words[at..].chars().all(|rest| rest == '#') => push_escaped(&mut escaped, character),
            '!' if words[at + 1..].starts_with('[') => push_escaped(&mut escaped, character),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Returns a Markdown link with a plain text.
pub fn link(text: &str, url: &str) -> String {
    let mut target = String::with_capacity(url.len());
    for character in url.chars() {
        match character {
            '(' | ')' | '\\' => push_escaped(&mut target, character),
            '<' => target.push_str("%3C"),
            '>' => target.push_str("%3E"),
            '&' => target.push_str("&amp;"),
            _ if character.is_whitespace() || character.is_control() => target.push_str("%20"),
            _ => target.push(character),
        }
    }
    format!("[{}]({target})", escape(text))
}

/// Returns at most `limit` characters of a text. Cuts between words if that keeps at least half.
pub fn clip(text: &str, limit: usize) -> String {
    let text = text.trim();
    let Some((cut, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let head = &text[..cut];
    let whole = if text[cut..].starts_with(char::is_whitespace) { Some(cut) } else { head.rfind(char::is_whitespace) };
    let end = whole.filter(|&end| end >= cut / 2).unwrap_or(cut);
    head[..end]
        .trim_end_matches(|last: char| last.is_whitespace() || matches!(last, ',' | ';' | ':' | '-' | '–' | '—'))
        .to_owned()
}

/// Returns the targets of the links in a text.
pub(super) fn link_targets(markdown: &str) -> HashSet<String> {
    let links = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    });
    links.collect()
}

/// Escapes raw HTML in foreign Markdown, so that readers see it as text.
pub(super) fn without_raw_html(markdown: &str) -> String {
    let mut safe = String::with_capacity(markdown.len());
    let mut done = 0;
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        if matches!(event, Event::Html(_) | Event::InlineHtml(_)) && range.start >= done {
            safe.push_str(&markdown[done..range.start]);
            safe.push_str(&markdown[range.clone()].replace('<', "&lt;"));
            done = range.end;
        }
    }
    safe.push_str(&markdown[done..]);
    safe
}

fn push_escaped(escaped: &mut String, character: char) {
    escaped.push('\\');
    escaped.push(character);
}

#[cfg(test)]
mod tests {
    use super::super::html::render;
    use super::*;

    #[test]
    fn escaped_text_shows_as_itself() {
        for text in [
            "<script>alert(1)</script>",
            "# not a heading",
            "1. not a list",
            "*a* _b_ [c](d) `e` &amp; ~~f~~",
            "{{7*7}}",
            "- dash",
            "a | b",
            "![x](y)",
            "+ plus",
            "Title ##",
            "\\",
            "http://a.example/?x=1&copy=2",
            "3) three",
            "=====",
            ":--",
        ] {
            let rendered = render(&escape(text)).html;
            let shown = rendered.trim().trim_start_matches("<p>").trim_end_matches("</p>");
            let shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            assert_eq!(shown, text, "{rendered}");
        }
    }

    #[test]
    fn non_breaking_spaces_are_kept() {
        assert_eq!(escape(" Pourquoi\u{a0}?\n  Oui.\u{2003}"), "Pourquoi\u{a0}? Oui.");
    }

    #[test]
    fn clipping_ends_between_words() {
        assert_eq!(clip("one two, three", 9), "one two");
        assert_eq!(clip("one two", 7), "one two");
        assert_eq!(clip("ééééé", 3), "ééé");
    }

    #[test]
    fn raw_html_becomes_text() {
        let safe = without_raw_html("a <b>c</b>\n\n<script>x</script>\n\n`<i>`");
        assert_eq!(safe, "a &lt;b>c&lt;/b>\n\n&lt;script>x&lt;/script>\n\n`<i>`");
    }
}
