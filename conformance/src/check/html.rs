//! Reads the HTML of an article: tags, attributes, text, headings, links, dangers.
//!
//! Uses the tokenizer of browsers, but builds no tree: a tree would repair mistakes that the checks look for.

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

impl Tag {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the text that separates the words around the tag.
    fn separator(&self) -> &'static str {
        if INLINE.contains(&self.name.as_str()) { "" } else { " " }
    }
}

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Tag(Tag),
    Text(String),
}

/// Elements within a line. All other tags separate words.
const INLINE: [&str; 26] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp",
    "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// Elements whose content is only text until they are closed.
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

/// Collects the tokens.
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

/// Splits HTML into tags and texts, as a browser does. Drops comments and resolves character references.
pub(crate) fn pieces(html: &str) -> Vec<Piece> {
    let tokenizer = Tokenizer::new(Pieces::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// Returns the text of HTML. Block elements separate words.
pub(crate) fn text(html: &str) -> String {
    pieces(html)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Tag(tag) => tag.separator().to_owned(),
        })
        .collect()
}

/// Level, text and `id` of a heading.
type HeadingParts = (u64, String, Option<String>);

/// Returns the headings in order. Their texts have no links that lead to the heading itself, unless there is no other text.
pub(crate) fn headings(html: &str) -> Vec<HeadingParts> {
    read(html).0
}

/// Returns the text of HTML without links of headings to themselves, such as `#`. Block elements separate words.
pub(crate) fn text_without_permalinks(html: &str) -> String {
    read(html).1
}

fn read(html: &str) -> (Vec<HeadingParts>, String) {
    let (mut headings, mut text) = (Vec::new(), String::new());
    let mut open: Option<Heading> = None;
    // Closes the last heading at the end of the text, too.
    for piece in pieces(html).into_iter().map(Some).chain([None]) {
        let level: Option<u64> = match &piece {
            Some(Piece::Tag(tag)) => tag.name.strip_prefix('h').and_then(|level| level.parse().ok()),
            Some(Piece::Text(_)) => None,
            None => Some(1),
        };
        if let Some(level) = level.filter(|level| (1..=6).contains(level)) {
            if let Some(heading) = open.take().map(Heading::end) {
                text.push_str(&heading.1);
                headings.push(heading);
            }
            text.push(' ');
            if let Some(Piece::Tag(tag)) = &piece {
                open = (!tag.closing).then(|| Heading::begin(level, tag.attribute("id")));
            }
            continue;
        }
        match (piece, &mut open) {
            (Some(Piece::Tag(tag)), Some(heading)) => heading.read(&tag),
            (Some(Piece::Tag(tag)), None) => text.push_str(tag.separator()),
            (Some(Piece::Text(piece)), Some(heading)) => heading.push(&piece),
            (Some(Piece::Text(piece)), None) => text.push_str(&piece),
            (None, _) => {}
        }
    }
    (headings, text)
}

/// A heading that is not closed yet.
struct Heading {
    level: u64,
    id: Option<String>,
    text: String,
    /// The text of links to the heading itself, such as `#`.
    own_links: String,
    is_in_own_link: bool,
}

impl Heading {
    fn begin(level: u64, id: Option<&str>) -> Self {
        let id = id.map(ToOwned::to_owned);
        Self { level, id, text: String::new(), own_links: String::new(), is_in_own_link: false }
    }

    fn is_led_to_by(&self, href: &str) -> bool {
        let (Some(id), Some(fragment)) = (&self.id, href.strip_prefix('#')) else { return false };
        let mut page = Url::parse("http://page.invalid/").expect("a constant URL");
        page.set_fragment(Some(id));
        id == fragment || page.fragment().is_some_and(|encoded| encoded.eq_ignore_ascii_case(fragment))
    }

    fn push(&mut self, text: &str) {
        if self.is_in_own_link {
            self.own_links.push_str(text);
        } else {
            self.text.push_str(text);
        }
    }

    /// Reads a tag within the heading.
    fn read(&mut self, tag: &Tag) {
        if tag.name == "a" {
            self.is_in_own_link = !tag.closing && tag.attribute("href").is_some_and(|href| self.is_led_to_by(href));
        }
        self.push(tag.separator());
    }

    fn end(self) -> HeadingParts {
        let text = if self.text.trim().is_empty() { self.own_links } else { self.text };
        (self.level, text, self.id)
    }
}

/// Returns the addresses of the canonical links of a page (RFC 6596), as written.
pub(crate) fn canonical_links(html: &str) -> Vec<String> {
    let pieces = pieces(html).into_iter();
    let tags = pieces.filter_map(|piece| if let Piece::Tag(tag) = piece { Some(tag) } else { None });
    let is_canonical = |tag: &Tag| {
        let rel = tag.attribute("rel").unwrap_or_default();
        tag.name == "link" && rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    tags.filter(is_canonical).filter_map(|tag| tag.attribute("href").map(str::to_owned)).collect()
}

/// Returns the links in order: the address as written, and the text.
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

/// Attributes with an address that a browser may follow or load.
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

/// Returns the first element or attribute that makes the HTML unsafe to show. Text is never unsafe.
pub(crate) fn danger(html: &str) -> Option<String> {
    // The page that shows the text closes a tag that is open at its end.
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
        if name.starts_with("on") || name == "srcdoc" || (name == "style" && !only_aligns_text(value)) {
            return Some(format!("an attribute {name} on <{}>", tag.name));
        }
        let is_picture = tag.name == "img" && matches!(name.as_str(), "src" | "srcset");
        let is_unsafe = ADDRESSES.contains(&name.as_str()) && is_unsafe_address(value, is_picture);
        is_unsafe.then(|| format!("{name}=\"{value}\" on <{}>", tag.name))
    })
}

/// Returns true if a style sets no property except `text-align`.
fn only_aligns_text(style: &str) -> bool {
    let mut declarations = style.split(';').filter(|declaration| !declaration.trim().is_empty());
    let is_word = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '-' | '!' | ' ');
    declarations.all(|declaration| {
        declaration
            .split_once(':')
            .is_some_and(|(name, value)| name.trim().eq_ignore_ascii_case("text-align") && value.chars().all(is_word))
    })
}

/// Returns true if an address may run a script. Browsers ignore white space around an address and line breaks within it, and so does the
/// parser. The `data:` address of a picture may contain a raster image.
fn is_unsafe_address(address: &str, is_picture: bool) -> bool {
    let Ok(address) = Url::parse(address) else { return false };
    let is_raster = || {
        let media_type = address.path().split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase();
        media_type.starts_with("image/") && !media_type.starts_with("image/svg")
    };
    match address.scheme() {
        "javascript" | "vbscript" => true,
        "data" => !(is_picture && is_raster()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{danger, headings, links, text, text_without_permalinks};

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
    fn links_to_the_heading_itself_are_not_its_text() {
        let found = headings(
            "<h2 id=\"f\u{fc}r\">F\u{fc}r <a href=\"#f%C3%BCr\">Permalink</a></h2><h3 id=b><a href=#b>B</a></h3>\
             <h4 id=c>C <a href=#d>D</a></h4>",
        );
        let texts: Vec<&str> = found.iter().map(|(_, text, _)| text.trim()).collect();
        assert_eq!(texts, ["F\u{fc}r", "B", "C D"]);
        let text = text_without_permalinks("<p>a</p><h2 id=b>B <a href=#b>here</a></h2><p>c <a href=#b>d</a></p><h3>e");
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a", "B", "c", "d", "e"]);
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
    fn aligned_text_and_raster_images_are_safe_and_other_styles_and_data_are_not() {
        for html in [
            "<td style=\"text-align: right\">1</td>",
            "<p style='TEXT-ALIGN:center;'>a</p>",
            "<img src=\"data:image/png;base64,iVBORw0KGgo=\" alt=a>",
        ] {
            assert_eq!(danger(html), None, "{html}");
        }
        for html in [
            "<p style=\"text-align:left;position:fixed\">a</p>",
            "<p style=\"text-align:url(//a.example)\">a</p>",
            "<p style=\"color:red\">a</p>",
            "<img src=\"data:image/svg+xml,<svg onload=x()>\">",
            "<a href=\"data:image/png;base64,iVBORw0KGgo=\">a</a>",
            "<img src=\"data:text/html,a\">",
        ] {
            assert!(danger(html).is_some(), "{html}");
        }
    }

    #[test]
    fn every_spelling_that_browsers_understand_is_found() {
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
