//! Removes claims without a source from a whole draft. Each text is returned as plain text or as Markdown built here.

use crate::domain::voice::sentences;
use crate::domain::written_article::FaqEntry;
use crate::generation::generator::{ArticleBrief, ArticleDraft, DraftSection};

use super::super::text::{cut, one_line, plain_characters};
use super::claims::{Unsourced, cuts, unsourced};
use super::emit::emit;
use super::markdown::{Block, blocks};
use super::patterns::NUMBER;
use super::quotations::MARKS;
use super::sources::Sources;
use super::spans::{Span, text_of, without};

/// Maximum number of sections of a draft. Further ones are dropped.
const MAX_SECTIONS: usize = 60;
/// Maximum length of a section's Markdown, in characters.
const MAX_SECTION_CHARS: usize = 40_000;
/// Maximum length of all sections, in characters; further ones are dropped. The longest article has a third of it.
const MAX_BODY_CHARS: usize = 120_000;
/// Maximum length of a line (a title, a heading, a question), in characters.
const MAX_LINE_CHARS: usize = 300;
/// Maximum length of an answer or a description, in characters.
const MAX_ANSWER_CHARS: usize = 2000;
/// Minimum length of a description, in characters.
const MIN_DESCRIPTION_CHARS: usize = 50;
/// Maximum length of a keyword or a tag, in characters. Longer ones are dropped.
const MAX_LABEL_CHARS: usize = 60;
/// Maximum number of questions, of keywords and of tags.
const MAX_ENTRIES: usize = 10;
/// Title if neither the model's title nor the topic has a visible character.
const NO_TITLE: &str = "Article";
/// Maximum number of characters kept of a removed text.
const MAX_REMOVED_CHARS: usize = 240;

/// A removed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Removal {
    pub(in super::super) text: String,
    pub(in super::super) why: Unsourced,
}

/// A draft in which every claim has a source, with the removed texts.
#[derive(Debug)]
pub(in super::super) struct Grounded {
    pub(in super::super) draft: ArticleDraft,
    pub(in super::super) removed: Vec<Removal>,
}

/// Removes claims from a draft that neither the request nor the profile contains.
pub(in super::super) fn ground(brief: &ArticleBrief, draft: ArticleDraft) -> Grounded {
    let mut filter = Filter { sources: Sources::of(brief), removed: Vec::new() };
    let sections = filter.sections(draft.sections);
    let opening = opening(&sections);
    let title = filter.title(&draft.title, &brief.topic);
    let mut excerpt = filter.prose(cut(&draft.excerpt, MAX_ANSWER_CHARS));
    if excerpt.is_empty() {
        excerpt.clone_from(&opening);
    }
    let mut meta_description = filter.prose(cut(&draft.meta_description, MAX_ANSWER_CHARS));
    for more in [&excerpt, &opening, &title] {
        if meta_description.chars().count() < MIN_DESCRIPTION_CHARS && !meta_description.contains(more.as_str()) {
            meta_description = one_line(&format!("{meta_description} {more}"));
        }
    }
    let draft = ArticleDraft {
        title,
        excerpt,
        meta_description,
        faq: draft.faq.into_iter().take(MAX_ENTRIES).filter_map(|entry| filter.faq_entry(&entry)).collect(),
        keywords: filter.labels(&draft.keywords),
        tags: filter.labels(&draft.tags),
        hero_alt: filter.prose(cut(&draft.hero_alt, MAX_LINE_CHARS)),
        sections,
    };
    Grounded { draft, removed: filter.removed }
}

/// Returns the first two sentences of the sections.
fn opening(sections: &[DraftSection]) -> String {
    let first = sections.iter().map(|section| plain_text(&section.markdown)).find(|text| !text.is_empty());
    sentences(&first.unwrap_or_default()).into_iter().take(2).collect::<String>().trim().to_owned()
}

/// Returns the text of Markdown on one line.
fn plain_text(markdown: &str) -> String {
    let texts = blocks(&plain_characters(markdown)).into_iter().filter_map(|block| match block {
        Block::Paragraph(spans) | Block::Heading(_, spans) | Block::Entry(_, _, spans) | Block::Quotation(spans) => {
            Some(text_of(&spans))
        }
        Block::Code(..) | Block::Table(_) => None,
    });
    one_line(&texts.collect::<Vec<_>>().join(" "))
}

struct Filter {
    sources: Sources,
    removed: Vec<Removal>,
}

impl Filter {
    fn note(&mut self, text: &str, why: Unsourced) {
        self.removed.push(Removal { text: cut(&one_line(text), MAX_REMOVED_CHARS).to_owned(), why });
    }

    /// Returns the sentences of a plain text that have a source.
    fn prose(&mut self, text: &str) -> String {
        let text = plain_text(text);
        let cuts = cuts(&text, &self.sources);
        for (range, why) in &cuts.sentences {
            self.note(&text[range.clone()], *why);
        }
        one_line(&cuts.apply(&text))
    }

    /// Returns a line without its unsourced numbers and quotation marks. Returns an empty line if it has other claims without a
    /// source.
    fn line(&mut self, text: &str) -> String {
        let line = plain_text(cut(text, MAX_LINE_CHARS));
        let cuts = cuts(&line, &self.sources);
        let Some((_, why)) = cuts.sentences.first() else { return one_line(&cuts.apply(&line)) };
        self.note(&line, *why);
        if cuts.sentences.iter().any(|(_, why)| *why != Unsourced::Number) {
            return String::new();
        }
        let bare = NUMBER.replace_all(&line, |found: &regex::Captures<'_>| {
            if self.sources.has_number(&found[0]) { found[0].to_owned() } else { " ".to_owned() }
        });
        let bare = one_line(&bare.replace(MARKS, ""));
        let bare = bare
            .trim_matches(|end: char| end.is_whitespace() || matches!(end, ',' | ':' | ';' | '-' | '–' | '—' | '+'));
        if unsourced(bare, &self.sources).is_some() || !bare.chars().any(char::is_alphabetic) {
            return String::new();
        }
        capitalised(bare)
    }

    /// Returns the title, or the topic if nothing is left of the title. The topic is a source.
    fn title(&mut self, title: &str, topic: &str) -> String {
        let title = self.line(title);
        if !title.is_empty() {
            return title;
        }
        let topic = cut(topic, MAX_LINE_CHARS);
        let candidates = [plain_text(topic), one_line(topic), NO_TITLE.to_owned()];
        capitalised(candidates.iter().find(|text| !text.is_empty()).map_or(NO_TITLE, String::as_str))
    }

    fn faq_entry(&mut self, entry: &FaqEntry) -> Option<FaqEntry> {
        let question = self.line(&entry.question);
        let answer = self.prose(cut(&entry.answer, MAX_ANSWER_CHARS));
        (!question.is_empty() && !answer.is_empty()).then_some(FaqEntry { question, answer })
    }

    fn labels(&self, labels: &[String]) -> Vec<String> {
        let labels = labels.iter().map(|label| plain_text(cut(label, MAX_LINE_CHARS)));
        let is_kept = |label: &String| {
            let is_label = (1..=MAX_LABEL_CHARS).contains(&label.chars().count());
            is_label && !label.contains(MARKS) && unsourced(label, &self.sources).is_none()
        };
        labels.filter(is_kept).take(MAX_ENTRIES).collect()
    }

    /// Returns the sections, each with one heading: a heading in the Markdown begins a new section. Levels do not skip.
    fn sections(&mut self, sections: Vec<DraftSection>) -> Vec<DraftSection> {
        let mut kept: Vec<DraftSection> = Vec::new();
        let mut above = 1;
        for section in sections {
            let mut heading = self.line(&section.heading);
            let mut level = section.level.clamp(2, 4);
            let mut body = Vec::new();
            let text = plain_characters(cut(&section.markdown, MAX_SECTION_CHARS));
            let mut parts = Vec::new();
            for block in blocks(&text) {
                let Block::Heading(found, spans) = block else {
                    body.extend(self.block(block));
                    continue;
                };
                let next = self.line(&text_of(&spans));
                // Some models repeat the heading of the section in its text.
                if next.is_empty() || next == heading {
                    continue;
                }
                parts.push((std::mem::replace(&mut heading, next), level, std::mem::take(&mut body)));
                level = found.clamp(2, 4);
            }
            parts.push((heading, level, body));
            for (heading, level, body) in parts {
                let has_heading = !heading.is_empty();
                if body.is_empty() {
                    continue;
                }
                let level = if has_heading { level.min(above + 1) } else { 2 };
                above = if has_heading { level } else { above };
                kept.push(DraftSection { heading, level, markdown: emit(&body) });
            }
        }
        let mut chars = 0;
        kept.into_iter()
            .take(MAX_SECTIONS)
            .take_while(|section| {
                chars += section.markdown.chars().count();
                chars <= MAX_BODY_CHARS
            })
            .collect()
    }

    /// Returns the rest of a block, or `None` if nothing is left.
    fn block(&mut self, block: Block) -> Option<Block> {
        let is_left = |spans: &[Span]| spans.iter().any(|span| span.text.chars().any(char::is_alphanumeric));
        match block {
            Block::Paragraph(spans) | Block::Heading(_, spans) => {
                let spans = self.spans(spans);
                is_left(&spans).then_some(Block::Paragraph(spans))
            }
            Block::Entry(depth, number, spans) => {
                let spans = self.spans(spans);
                is_left(&spans).then_some(Block::Entry(depth, number, spans))
            }
            Block::Quotation(spans) => {
                let text = text_of(&spans);
                if self.sources.has_words(&text) {
                    return Some(Block::Paragraph(self.spans(spans)));
                }
                self.note(&text, Unsourced::Quotation);
                None
            }
            Block::Code(language, code) => match self.unsourced_code(&code) {
                Some(why) => {
                    self.note(&code, why);
                    None
                }
                None => (!code.trim().is_empty()).then_some(Block::Code(language, code)),
            },
            Block::Table(rows) => self.table(rows),
        }
    }

    /// Returns the reason to remove a piece of code. Code is kept or removed as a whole.
    fn unsourced_code(&self, code: &str) -> Option<Unsourced> {
        let quoted = code.contains(MARKS) && !self.sources.has_words(code);
        unsourced(code, &self.sources).or(quoted.then_some(Unsourced::Quotation))
    }

    fn spans(&mut self, mut spans: Vec<Span>) -> Vec<Span> {
        for span in &mut spans {
            // Keep the words of a link and remove only its target.
            if let Some(url) = span.style.link.take_if(|url| !self.sources.has_link(url)) {
                self.removed.push(Removal { text: cut(&url, MAX_REMOVED_CHARS).to_owned(), why: Unsourced::Address });
            }
        }
        let text = text_of(&spans);
        let cuts = cuts(&text, &self.sources);
        for (range, why) in &cuts.sentences {
            self.note(&text[range.clone()], *why);
        }
        without(spans, &cuts.ranges())
    }

    /// Returns a table with the rows whose claims have a source, or `None` if the header row has an unsourced claim.
    fn table(&mut self, rows: Vec<Vec<Vec<Span>>>) -> Option<Block> {
        let mut kept = Vec::new();
        for (number, row) in rows.into_iter().enumerate() {
            let text = row.iter().map(|cell| text_of(cell)).collect::<Vec<_>>().join(" | ");
            let quoted = text.contains(MARKS).then_some(Unsourced::Quotation);
            match unsourced(&text, &self.sources).or(quoted) {
                Some(why) => {
                    self.note(&text, why);
                    if number == 0 {
                        return None;
                    }
                }
                None => kept.push(row),
            }
        }
        (kept.len() > 1).then_some(Block::Table(kept))
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
