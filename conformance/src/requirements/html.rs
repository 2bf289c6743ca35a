//! Just enough HTML reading to judge an article: tags, attributes, words, headings.
//!
//! It is no renderer and repairs nothing.

/// A tag with its attributes, names in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) closing: bool,
    pub(super) attributes: Vec<(String, String)>,
}

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Tag(Tag),
    Text(String),
}

/// Elements that stand within a line; every other tag separates words.
const INLINE: [&str; 14] =
    ["a", "em", "strong", "b", "i", "code", "span", "sub", "sup", "del", "s", "u", "small", "mark"];

/// Splits HTML into tags and texts; comments vanish, entities of texts are resolved.
pub(super) fn pieces(html: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        if open > 0 {
            pieces.push(Piece::Text(resolve(&rest[..open])));
        }
        rest = &rest[open..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some(end) = tag_end(rest) else {
            break;
        };
        let inside = &rest[1..end];
        if inside.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/') {
            pieces.push(Piece::Tag(tag(inside)));
        }
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(resolve(rest)));
    }
    pieces
}

/// Where a tag ends, `>` inside quotes not counted.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

fn tag(inside: &str) -> Tag {
    let closing = inside.starts_with('/');
    let inside = inside.trim_matches('/');
    let (name, mut rest) = inside.split_once(|letter: char| letter.is_whitespace()).unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    rest = rest.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let attribute = rest[..end].to_lowercase();
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|letter| matches!(letter, '"' | '\''));
            let (start, close) = match quote {
                Some(quote) => (1, after[1..].find(quote).map_or(after.len(), |at| at + 1)),
                None => (0, after.find(char::is_whitespace).unwrap_or(after.len())),
            };
            value = &after[start..close];
            rest = after[close..].trim_start_matches(['"', '\'']).trim_start();
        }
        if !attribute.is_empty() {
            attributes.push((attribute, resolve(value)));
        }
    }
    Tag { name: name.to_lowercase(), closing, attributes }
}

/// Resolves the character references that sanitisers write.
fn resolve(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        resolved.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').filter(|end| *end <= 10);
        let found = end.and_then(|end| Some((reference(&rest[1..end])?, end)));
        if let Some((letter, end)) = found {
            resolved.push(letter);
            rest = &rest[end + 1..];
        } else {
            resolved.push('&');
            rest = &rest[1..];
        }
    }
    resolved.push_str(rest);
    resolved
}

fn reference(name: &str) -> Option<char> {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => match name.strip_prefix('#')? {
            digits if digits.starts_with(['x', 'X']) => number(&digits[1..], 16),
            digits => number(digits, 10),
        },
    }
}

/// The text of HTML, block elements separating words.
pub(super) fn text(html: &str) -> String {
    pieces(html)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Tag(tag) if INLINE.contains(&tag.name.as_str()) => String::new(),
            Piece::Tag(_) => " ".to_owned(),
        })
        .collect()
}

/// The headings of HTML in order: level, text, `id`.
pub(super) fn headings(html: &str) -> Vec<(u64, String, Option<String>)> {
    let mut headings: Vec<(u64, String, Option<String>)> = Vec::new();
    let mut open = false;
    for piece in pieces(html) {
        match piece {
            Piece::Tag(tag) => {
                let level = tag.name.strip_prefix('h').and_then(|level| level.parse().ok());
                if let Some(level) = level.filter(|level| (1..=6).contains(level)) {
                    open = !tag.closing;
                    if open {
                        let id = tag.attributes.iter().find(|(name, _)| name == "id");
                        headings.push((level, String::new(), id.map(|(_, id)| id.clone())));
                    }
                }
            }
            Piece::Text(text) if open => {
                if let Some((_, heading, _)) = headings.last_mut() {
                    heading.push_str(&text);
                }
            }
            Piece::Text(_) => {}
        }
    }
    headings
}

/// Why the HTML is unsafe to show, if it is; a judgement of elements and attributes, not of text.
pub(super) fn danger(html: &str) -> Option<String> {
    const FORBIDDEN: [&str; 12] =
        ["script", "iframe", "object", "embed", "style", "link", "meta", "base", "form", "input", "svg", "math"];
    for piece in pieces(html) {
        let Piece::Tag(tag) = piece else {
            continue;
        };
        if FORBIDDEN.contains(&tag.name.as_str()) {
            return Some(format!("an element <{}>", tag.name));
        }
        for (name, value) in &tag.attributes {
            let scheme: String =
                value.chars().filter(|letter| !letter.is_whitespace() && !letter.is_control()).collect();
            let scheme = scheme.to_lowercase();
            if name.starts_with("on") || name == "style" || name == "srcdoc" {
                return Some(format!("an attribute {name} on <{}>", tag.name));
            }
            if ["javascript:", "vbscript:", "data:"].iter().any(|bad| scheme.starts_with(bad)) {
                return Some(format!("{name}=\"{value}\" on <{}>", tag.name));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{danger, headings, text};

    #[test]
    fn block_elements_separate_words_and_inline_ones_do_not() {
        assert_eq!(text("<p>one<em>two</em></p><p>three</p>").split_whitespace().count(), 2);
    }

    #[test]
    fn headings_come_with_level_text_and_anchor() {
        let found = headings("<h2 id=\"a\">Tom &amp; <em>Jerry</em></h2><p>x</p><h3>B</h3>");
        assert_eq!(found[0], (2, "Tom & Jerry".to_owned(), Some("a".to_owned())));
        assert_eq!(found[1], (3, "B".to_owned(), None));
    }

    #[test]
    fn dangerous_attributes_and_elements_are_found_and_text_is_not_blamed() {
        assert!(danger("<a href=\"java\tscript:alert(1)\">x</a>").is_some());
        assert!(danger("<img src=x onerror=alert(1)>").is_some());
        assert!(danger("<SCRIPT>x</SCRIPT>").is_some());
        assert!(danger("<p>write &lt;script&gt; or javascript: here</p>").is_none());
    }
}
