//! A text to check, split into its passages. `rules` contains the checks.

use std::ops::Range;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use crate::domain::written_article::{FaqEntry, OutlineEntry};

pub(super) static URL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:https?://|mailto:)\S+").expect("the pattern is valid"));

/// The requested and the written article: the parts that the rules read.
#[derive(Debug, Clone, Copy)]
pub struct CheckInput<'a> {
    /// The topic of the request.
    pub topic: &'a str,
    /// Requested language, a BCP 47 tag.
    pub ordered_language: &'a str,
    /// Language of the article, a BCP 47 tag.
    pub language: &'a str,
    /// Requested keywords.
    pub keywords: &'a [String],
    /// Requested number of words.
    pub target_word_count: u32,
    /// Number of words of the rendered content.
    pub word_count: u32,
    /// Plain text.
    pub title: &'a str,
    /// Plain text.
    pub excerpt: &'a str,
    /// Plain text.
    pub meta_title: &'a str,
    /// Plain text.
    pub meta_description: &'a str,
    /// Plain text; empty if there is no picture.
    pub hero_alt: &'a str,
    /// The body in `CommonMark`.
    pub markdown: &'a str,
    /// The outline of the body.
    pub outline: &'a [OutlineEntry],
    /// Questions and answers.
    pub faq: &'a [FaqEntry],
}

impl<'a> CheckInput<'a> {
    /// Returns the input for a text that is not an article, without a request.
    pub fn of_wording(language: &'a str, markdown: &'a str) -> Self {
        Self {
            topic: "",
            ordered_language: language,
            language,
            keywords: &[],
            target_word_count: 0,
            word_count: 0,
            title: "",
            excerpt: "",
            meta_title: "",
            meta_description: "",
            hero_alt: "",
            markdown,
            outline: &[],
            faq: &[],
        }
    }
}

/// Kind of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageKind {
    /// A heading with its level.
    Heading(u8),
    /// A paragraph, including one in a quotation.
    Paragraph,
    /// One entry of a list.
    ListItem,
    /// One cell of a table.
    TableCell,
}

/// One block of the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The kind.
    pub kind: PassageKind,
    /// The text without mark-up and code.
    pub text: String,
    /// URLs of its links.
    pub links: Vec<String>,
}

/// A text with its body split into passages.
#[derive(Debug, Clone)]
pub struct Manuscript<'a> {
    /// The text and the request.
    pub input: CheckInput<'a>,
    /// The blocks of the body, in order.
    pub passages: Vec<Passage>,
}

impl<'a> Manuscript<'a> {
    /// Splits the body into passages.
    pub fn new(input: CheckInput<'a>) -> Self {
        Self { input, passages: passages(input.markdown) }
    }

    /// Returns every line that the voice rules read: title, excerpt, meta fields, alternative text, passages, questions and
    /// answers.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let input = &self.input;
        [input.title, input.excerpt, input.meta_title, input.meta_description, input.hero_alt]
            .into_iter()
            .chain(self.passages.iter().map(|passage| passage.text.as_str()))
            .chain(input.faq.iter().flat_map(|entry| [entry.question.as_str(), entry.answer.as_str()]))
    }

    /// Returns the prose whose sentences are measured: paragraphs, list entries and answers.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        self.passages
            .iter()
            .filter(|passage| matches!(passage.kind, PassageKind::Paragraph | PassageKind::ListItem))
            .map(|passage| passage.text.as_str())
            .chain(self.input.faq.iter().map(|entry| entry.answer.as_str()))
    }

    /// Returns the first paragraph of the body.
    pub fn first_paragraph(&self) -> &str {
        let mut paragraphs = self.passages.iter().filter(|passage| passage.kind == PassageKind::Paragraph);
        paragraphs.next().map_or("", |passage| passage.text.as_str())
    }
}

/// Returns the text without its URLs, which the voice rules ignore.
pub(super) fn without_urls(text: &str) -> std::borrow::Cow<'_, str> {
    URL.replace_all(text, " ")
}

fn passages(markdown: &str) -> Vec<Passage> {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| (event, ()));
    walk(events, |(), _, _, ()| {}).into_iter().map(|(passage, ())| passage).collect()
}

/// Returns the passages, each with the data that `note` gathers. `note` receives the offset of a piece of text in its passage,
/// the piece, and its place in the source.
pub(super) fn passages_with<T: Default>(
    markdown: &str,
    note: impl FnMut(&mut T, usize, &str, Range<usize>),
) -> Vec<(Passage, T)> {
    walk(Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter(), note)
}

fn walk<'m, T: Default, P>(
    events: impl Iterator<Item = (Event<'m>, P)>,
    mut note: impl FnMut(&mut T, usize, &str, P),
) -> Vec<(Passage, T)> {
    let mut found = Vec::new();
    let mut open: Option<(Passage, T)> = None;
    let mut list_depth = 0_u32;
    let mut in_code = false;
    for (event, place) in events {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                begin(&mut found, &mut open, PassageKind::Heading(level as u8));
            }
            Event::Start(Tag::Item) => begin(&mut found, &mut open, PassageKind::ListItem),
            Event::Start(Tag::Paragraph) if list_depth > 0 => begin(&mut found, &mut open, PassageKind::ListItem),
            Event::Start(Tag::Paragraph) => begin(&mut found, &mut open, PassageKind::Paragraph),
            Event::Start(Tag::TableCell) => begin(&mut found, &mut open, PassageKind::TableCell),
            Event::Start(Tag::List(_)) => {
                finish(&mut found, &mut open);
                list_depth += 1;
            }
            Event::End(TagEnd::List(_)) => {
                finish(&mut found, &mut open);
                list_depth -= 1;
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                if let Some((passage, _)) = &mut open {
                    passage.links.push(dest_url.into_string());
                }
            }
            Event::Text(text) if !in_code => {
                if let Some((passage, noted)) = &mut open {
                    note(noted, passage.text.len(), &text, place);
                    passage.text.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((passage, _)) = &mut open {
                    passage.text.push(' ');
                }
            }
            Event::End(TagEnd::Heading(_) | TagEnd::Item | TagEnd::Paragraph | TagEnd::TableCell) => {
                finish(&mut found, &mut open);
            }
            _ => {}
        }
    }
    finish(&mut found, &mut open);
    found
}

fn begin<T: Default>(found: &mut Vec<(Passage, T)>, open: &mut Option<(Passage, T)>, kind: PassageKind) {
    finish(found, open);
    *open = Some((Passage { kind, text: String::new(), links: Vec::new() }, T::default()));
}

fn finish<T>(found: &mut Vec<(Passage, T)>, open: &mut Option<(Passage, T)>) {
    found.extend(open.take().filter(|(passage, _)| !passage.text.is_empty() || !passage.links.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::PassageKind::{Heading, ListItem, Paragraph, TableCell};
    use super::*;

    #[test]
    fn a_body_is_taken_apart_without_code_and_with_its_links() {
        let found = passages(
            "Intro `code` [here](https://a.example).\n\n## One\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\nno\n```\n",
        );
        let kinds: Vec<PassageKind> = found.iter().map(|passage| passage.kind).collect();
        assert_eq!(kinds, [Paragraph, Heading(2), ListItem, ListItem, TableCell, TableCell, TableCell, TableCell]);
        assert_eq!(found[0].links, ["https://a.example"]);
        assert_eq!(found[0].text, "Intro  here.");
    }

    #[test]
    fn urls_are_not_read() {
        assert_eq!(without_urls("see https://cheap.example/x now"), "see   now");
    }
}
