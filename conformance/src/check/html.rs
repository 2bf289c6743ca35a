//! Just enough HTML reading to judge an article: tags, attributes, words, headings, links, dangers.
//!
//! Tags are told apart by the tokenizer of browsers. No tree is built: what it would repair is still there to be judged.

use std::cell::RefCell;

use html5ever::Attribute;
use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use url::Url;

/// A tag with its attributes, names in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) closing: bool,
    pub(crate) attributes: Vec<(String, String)>,
}

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Tag(Tag),
    Text(String),
}

/// Elements that stand within a line; every other tag separates words.
const INLINE: [&str; 14] =
    ["a", "em", "strong", "b", "i", "code", "span", "sub", "sup", "del", "s", "u", "small", "mark"];

/// Elements whose content is text and nothing else, until they are closed.
const RAW: [(&str, RawKind); 8] = [
    ("iframe", RawKind::Rawtext),
    ("noembed", RawKind::Rawtext),
    ("noframes", RawKind::Rawtext),
    ("script", RawKind::ScriptData),
    ("style", RawKind::Rawtext),
    ("textarea", RawKind::Rcdata),
    ("title", RawKind::Rcdata),
    ("xmp", RawKind::Rawtext),
];

/// Collects what the tokenizer finds.
#[derive(Default)]
struct Pieces(RefCell<Vec<Piece>>);

impl TokenSink for Pieces {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut pieces = self.0.borrow_mut();
        match token {
            Token::CharacterTokens(text) => match pieces.last_mut() {
                Some(Piece::Text(before)) => before.push_str(&text),
                _ => pieces.push(Piece::Text(text.to_string())),
            },
            Token::TagToken(tag) => {
                let closing = tag.kind == TagKind::EndTag;
                let name = tag.name.to_string();
                let raw = RAW.iter().find(|(element, _)| !closing && *element == name);
                let attribute = |attribute: &Attribute| (attribute.name.local.to_string(), attribute.value.to_string());
                let attributes = tag.attrs.iter().map(attribute).collect();
                pieces.push(Piece::Tag(Tag { name, closing, attributes }));
                if let Some((_, kind)) = raw {
                    return TokenSinkResult::RawData(*kind);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Splits HTML into tags and texts, as a browser would; comments vanish, character references are resolved.
pub(crate) fn pieces(html: &str) -> Vec<Piece> {
    let tokenizer = Tokenizer::new(Pieces::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// The text of HTML, block elements separating words.
pub(crate) fn text(html: &str) -> String {
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
pub(crate) fn headings(html: &str) -> Vec<(u64, String, Option<String>)> {
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

/// The links of HTML in order: the address as it is written, and the text.
pub(crate) fn links(html: &str) -> Vec<(String, String)> {
    let mut links: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for piece in pieces(html) {
        match piece {
            Piece::Tag(tag) if tag.name == "a" => {
                let address = tag.attributes.into_iter().find(|(name, _)| name == "href");
                open = !tag.closing && address.is_some();
                links.extend(address.filter(|_| open).map(|(_, address)| (address, String::new())));
            }
            Piece::Text(text) if open => {
                if let Some((_, link)) = links.last_mut() {
                    link.push_str(&text);
                }
            }
            _ => {}
        }
    }
    links
}

/// Attributes that hold an address which a browser may follow or load.
const ADDRESSES: [&str; 13] = [
    "action",
    "background",
    "cite",
    "data",
    "formaction",
    "href",
    "longdesc",
    "manifest",
    "ping",
    "poster",
    "src",
    "srcset",
    "xlink:href",
];

/// Why the HTML is unsafe to show, if it is; a judgement of elements and attributes, not of text.
pub(crate) fn danger(html: &str) -> Option<String> {
    // A tag that is left open at the end is closed by the page that shows the text.
    pieces(&format!("{html}>")).into_iter().find_map(|piece| match piece {
        Piece::Tag(tag) => danger_of(&tag),
        Piece::Text(_) => None,
    })
}

fn danger_of(tag: &Tag) -> Option<String> {
    const FORBIDDEN: [&str; 12] =
        ["script", "iframe", "object", "embed", "style", "link", "meta", "base", "form", "input", "svg", "math"];
    if FORBIDDEN.contains(&tag.name.as_str()) {
        return Some(format!("an element <{}>", tag.name));
    }
    tag.attributes.iter().find_map(|(name, value)| {
        if name.starts_with("on") || name == "style" || name == "srcdoc" {
            return Some(format!("an attribute {name} on <{}>", tag.name));
        }
        let runs = ADDRESSES.contains(&name.as_str()) && runs_script(value);
        runs.then(|| format!("{name}=\"{value}\" on <{}>", tag.name))
    })
}

/// Whether an address runs a script. Read as browsers do: white space around it and line breaks within it do not count.
fn runs_script(address: &str) -> bool {
    Url::parse(address).is_ok_and(|address| ["javascript", "vbscript", "data"].contains(&address.scheme()))
}

#[cfg(test)]
mod tests {
    use super::{danger, headings, links, text};

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
        assert!(danger("<img alt=\"data: how to read them\" src=\"/data:a.png\">").is_none());
    }

    #[test]
    fn what_browsers_read_as_danger_is_found_however_it_is_written() {
        for html in [
            "<svg/onload=alert(1)>",
            "<p/onclick=alert(1)>",
            "<p title=\"a\"onclick=alert(1)>",
            "<p title='>'\u{c}ONCLICK\n=alert(1)>",
            "<a href=javascript&colon;alert(1)>",
            "<a href=\"&#106avascript:alert(1)\">",
            "<a href=\" &#x1;java&NewLine;sc&Tab;ript:alert(1)\">",
            "<!--><img src=x onerror=alert(1)>-->",
            "<img src=x onerror=alert(1) ",
        ] {
            assert!(danger(html).is_some(), "{html}");
        }
    }

    #[test]
    fn links_come_with_their_address_and_text() {
        let found = links("<a href='/a?b&amp;c'>Tom &amp; <em>Jerry</em></a><a name=x>y</a><A HREF=//h/b>z</A>");
        let expected = [("/a?b&c", "Tom & Jerry"), ("//h/b", "z")];
        assert_eq!(found, expected.map(|(address, text)| (address.to_owned(), text.to_owned())));
    }
}
