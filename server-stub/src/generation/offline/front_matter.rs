//! Everything around the body: title, excerpt, description, questions, labels, alternative text.

use crate::domain::voice::content_words;
use crate::domain::written_article::FaqEntry;

use super::grammar::{Purpose, Section};
use super::prose::{prose, serving};
use super::sentence::{Sentence, Slot};
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;

const MAX_TITLE_CHARS: usize = 110;
/// Titles that also fit where search results are cut.
const MAX_SHORT_TITLE_CHARS: usize = 60;
const MAX_EXCERPT_CHARS: usize = 300;
const DESCRIPTION_CHARS: std::ops::RangeInclusive<usize> = 50..=160;
const MAX_ALT_CHARS: usize = 125;
const MAX_TAGS: usize = 5;
const MAX_TAG_CHARS: usize = 40;
/// Words of a topic phrase that label nothing.
const NEVER_TAGS: [&str; 8] = ["question", "whether", "before", "after", "best", "much", "many", "way"];

/// The texts around a body.
#[derive(Debug)]
pub(super) struct FrontMatter {
    pub(super) title: String,
    pub(super) excerpt: String,
    pub(super) description: String,
    pub(super) alt: String,
    pub(super) faq: Vec<FaqEntry>,
    pub(super) tags: Vec<String>,
}

/// Writes the texts around a body.
pub(super) fn front_matter(purpose: Purpose, renderer: &SentenceRenderer<'_>, slots: &SlotValues<'_>) -> FrontMatter {
    let prose = prose();
    let titles: Vec<&Sentence> = serving(&prose.titles, purpose).flat_map(|section| &section.headings).collect();
    let asking: Vec<&Sentence> = titles.iter().copied().filter(|title| title.has(Slot::Question)).collect();
    let plain_title = super::wording::capitalised(&slots.topic.noun);
    FrontMatter {
        title: first_line(&asking, renderer, slots, |text| text.chars().count() <= MAX_TITLE_CHARS)
            .or_else(|| first_line(&titles, renderer, slots, |text| text.chars().count() <= MAX_SHORT_TITLE_CHARS))
            .or_else(|| first_line(&titles, renderer, slots, |text| text.chars().count() <= MAX_TITLE_CHARS))
            .unwrap_or(plain_title),
        excerpt: first_said(&prose.excerpts, renderer, slots, |text| text.chars().count() <= MAX_EXCERPT_CHARS),
        description: first_said(&prose.descriptions, renderer, slots, |text| {
            DESCRIPTION_CHARS.contains(&text.chars().count())
        }),
        alt: first_said(&prose.alts, renderer, slots, |text| text.chars().count() <= MAX_ALT_CHARS),
        faq: questions(purpose, renderer, &SlotValues { may_shorten: true, ..*slots }),
        tags: tags(slots, renderer),
    }
}

/// The first template, from a drawn start, that the profile allows and that fits.
fn first_line(
    templates: &[&Sentence],
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let start = renderer.dice.index(templates.first()?.number, templates.len());
    (0..templates.len())
        .map(|step| templates[(start + step) % templates.len()])
        // A title that is about something must not fall back to "this".
        .filter(|template| {
            [Slot::Topic, Slot::HowTo, Slot::FirstOption, Slot::Question].into_iter().any(|slot| template.has(slot))
        })
        .filter_map(|template| renderer.render_line(template, slots))
        .find(|text| fits(text))
}

fn first_said(
    templates: &[Sentence],
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    fits: impl Fn(&str) -> bool,
) -> String {
    let start = templates.first().map_or(0, |first| renderer.dice.index(first.number, templates.len()));
    let rotated = || (0..templates.len()).map(|step| &templates[(start + step) % templates.len()]);
    let named = rotated().filter(|template| template.has(Slot::Topic));
    let unnamed = rotated().filter(|template| !template.has(Slot::Topic));
    let mut said = named
        .chain(unnamed)
        .filter_map(|template| renderer.render(template, slots))
        .map(|sentences| sentences.join(" "));
    said.find(|text| fits(text)).unwrap_or_default()
}

fn questions(purpose: Purpose, renderer: &SentenceRenderer<'_>, slots: &SlotValues<'_>) -> Vec<FaqEntry> {
    let wanted = renderer.voice().faq_count as usize;
    let mut sections: Vec<&Section> = prose().questions.iter().collect();
    sections.sort_by_key(|section| {
        let number = section.headings.first().map_or(0, |heading| heading.number);
        (!section.serves(purpose), renderer.dice.draw(number))
    });
    sections.into_iter().filter_map(|section| question(section, renderer, slots)).take(wanted).collect()
}

fn question(section: &Section, renderer: &SentenceRenderer<'_>, slots: &SlotValues<'_>) -> Option<FaqEntry> {
    let question = section
        .headings
        .iter()
        .find_map(|heading| renderer.render_line(heading, slots))
        .filter(|text| text.ends_with('?'))?;
    let unit = section.units.first()?;
    let answer: Vec<String> =
        unit.sentences.iter().filter_map(|template| renderer.render(template, slots)).flatten().collect();
    let number = unit.sentences.first().map_or(0, |template| template.number);
    let answer = renderer.elaborate(answer, slots.elaboration, number).join(" ");
    (!answer.is_empty()).then_some(FaqEntry { question, answer })
}

fn tags(slots: &SlotValues<'_>, renderer: &SentenceRenderer<'_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for word in content_words(&slots.topic.noun) {
        let is_label = word.chars().count() > 2
            && !NEVER_TAGS.contains(&word.as_str())
            && word.chars().count() <= MAX_TAG_CHARS
            && !word.chars().all(char::is_numeric);
        if is_label && tags.len() < MAX_TAGS && !tags.contains(&word) && renderer.allows(&word) {
            tags.push(word);
        }
    }
    tags
}
