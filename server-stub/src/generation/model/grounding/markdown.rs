//! Parses a model's Markdown into blocks of text, headings, list entries, tables and code. Drops pictures and HTML. Keeps links for
//! a later check.

use std::sync::LazyLock;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::super::text::plain_characters;
use super::spans::{Span, Style, push};

/// Maximum depth of nested lists. Deeper lists are moved to this depth.
const MAX_DEPTH: usize = 3;
/// Maximum number of blocks of one text.
const MAX_BLOCKS: usize = 400;

/// Matches scripts, styles and comments with their content, and any other mark-up.
static HIDDEN_HTML: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?is)<script\b.*?(?:</script\s*>|$)|<style\b.*?(?:</style\s*>|$)|<!--.*?(?:-->|$)|<[^>]*>?")
        .expect("the pattern is valid")
});

/// A block of Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Block {
    Paragraph(Vec<Span>),
    /// Level, 1 to 6, and text.
    Heading(u8, Vec<Span>),
    /// List entry: depth from 0, number in an ordered list, and text.
    Entry(usize, Option<u64>, Vec<Span>),
    /// A quoted paragraph.
    Quotation(Vec<Span>),
    /// Language, which may be empty, and code.
    Code(String, String),
    /// Rows of a table, header first.
    Table(Vec<Vec<Vec<Span>>>),
}

/// Parses a text into blocks.
pub(in super::super) fn blocks(markdown: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        reader.read(event);
    }
    reader.end_text();
    reader.blocks.truncate(MAX_BLOCKS);
    reader.blocks
}

/// Beginning of a list entry, with its number in an ordered list.
struct Entry {
    number: Option<u64>,
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    spans: Vec<Span>,
    style: Style,
    strong: usize,
    emphasis: usize,
    /// Next number of each open list; `None` for an unordered list.
    lists: Vec<Option<u64>>,
    /// Set while the text belongs to a list entry.
    entry: Option<Entry>,
    quotations: usize,
    heading: Option<u8>,
    code: Option<(String, String)>,
    html: Option<String>,
    table: Option<Vec<Vec<Vec<Span>>>>,
    pictures: usize,
    /// True inside an inline script or style.
    is_hidden: bool,
}

impl Reader {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => {
                self.style.is_code = true;
                self.text(&text);
                self.style.is_code = false;
            }
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Html(html) => self.html.get_or_insert_default().push_str(&html),
            Event::InlineHtml(html) => {
                let html = html.to_lowercase();
                self.is_hidden = html.starts_with("<script") || html.starts_with("<style");
                if html.starts_with("<br") {
                    self.text(" ");
                }
            }
            Event::Rule | Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
        }
    }

    fn text(&mut self, text: &str) {
        // A character reference may have produced a character that must be removed.
        let text = &plain_characters(text);
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
        } else if let Some(html) = &mut self.html {
            html.push_str(text);
        } else if self.pictures == 0 && !self.is_hidden {
            push(&mut self.spans, text, &self.style);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong | Tag::Emphasis => {
                let count = if matches!(tag, Tag::Strong) { &mut self.strong } else { &mut self.emphasis };
                *count += 1;
                self.restyle();
            }
            Tag::Link { dest_url, .. } => self.style.link = Some(dest_url.into_string()),
            Tag::Image { .. } => self.pictures += 1,
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::TableCell => {}
            other => {
                // A new block ends preceding text that is not in a paragraph.
                self.end_text();
                self.start_block(other);
            }
        }
    }

    fn start_block(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.heading = Some(level as u8),
            Tag::BlockQuote(_) => self.quotations += 1,
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => self.lists.push(first),
            Tag::Item => {
                let number = self.lists.last_mut().and_then(|next| {
                    let number = *next;
                    *next = next.map(|number| number.saturating_add(1));
                    number
                });
                self.entry = Some(Entry { number });
            }
            Tag::Table(_) => self.table = Some(Vec::new()),
            Tag::HtmlBlock => self.html = Some(String::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis => {
                let count = if tag == TagEnd::Strong { &mut self.strong } else { &mut self.emphasis };
                *count = count.saturating_sub(1);
                self.restyle();
            }
            TagEnd::Link => self.style.link = None,
            TagEnd::Image => self.pictures = self.pictures.saturating_sub(1),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let rows = self.table.take().unwrap_or_default();
                self.blocks.push(Block::Table(rows));
            }
            TagEnd::CodeBlock => {
                self.blocks.extend(self.code.take().map(|(language, code)| Block::Code(language, code)));
            }
            TagEnd::HtmlBlock => {
                let html = self.html.take().unwrap_or_default();
                let text = HIDDEN_HTML.replace_all(&html, " ").into_owned();
                push(&mut self.spans, &text, &Style::default());
                self.end_text();
            }
            TagEnd::Heading(_) => {
                self.end_text();
                self.heading = None;
            }
            TagEnd::BlockQuote(_) => {
                self.end_text();
                self.quotations = self.quotations.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.end_text();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.end_text();
                self.entry = None;
            }
            TagEnd::Paragraph => self.end_text(),
            _ => {}
        }
    }

    fn restyle(&mut self) {
        self.style.is_strong = self.strong > 0;
        self.style.is_emphasised = self.emphasis > 0;
    }

    /// Ends the current block of text.
    fn end_text(&mut self) {
        self.is_hidden = false;
        let spans = std::mem::take(&mut self.spans);
        if spans.iter().all(|span| span.text.trim().is_empty()) {
            return;
        }
        let depth = self.lists.len().min(MAX_DEPTH).saturating_sub(1);
        let block = match (self.heading, self.entry.take()) {
            (Some(level), _) => Block::Heading(level, spans),
            _ if self.quotations > 0 => Block::Quotation(spans),
            (None, Some(entry)) => Block::Entry(depth, entry.number, spans),
            (None, None) => Block::Paragraph(spans),
        };
        self.blocks.push(block);
    }
}

#[cfg(test)]
mod tests {
    use super::super::spans::text_of;
    use super::*;

    #[test]
    fn blocks_come_without_pictures_html_and_scripts() {
        let found = blocks(
            "One <b>two</b><script>x()</script> ![p](https://a.example/p.png)\nthree\n\n<div onclick=\"x()\">four</div>\n\n> five\n\n- six\n  1. seven\n- eight\n\n<script>\nnine\n</script>\n\n| a |\n|---|\n| b |\n",
        );
        let shown: Vec<String> = found
            .iter()
            .map(|block| match block {
                Block::Paragraph(spans) => format!("p {}", text_of(spans).trim()),
                Block::Heading(level, spans) => format!("h{level} {}", text_of(spans)),
                Block::Entry(depth, number, spans) => format!("{depth} {number:?} {}", text_of(spans)),
                Block::Quotation(spans) => format!("q {}", text_of(spans)),
                Block::Code(language, code) => format!("{language} {code}"),
                Block::Table(rows) => format!("table {}", rows.len()),
            })
            .collect();
        assert_eq!(
            shown,
            ["p One two  three", "p four", "q five", "0 None six", "1 Some(1) seven", "0 None eight", "table 2"]
        );
    }

    #[test]
    fn deep_nesting_without_text_is_read() {
        assert!(blocks(&">".repeat(20_000)).len() <= 1);
        assert!(blocks(&"- ".repeat(5000)).len() <= MAX_BLOCKS);
        assert!(blocks(&"**".repeat(20_000)).len() <= 1);
    }
}
