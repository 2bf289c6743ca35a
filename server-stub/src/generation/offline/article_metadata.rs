//! Everything around the body: title, excerpt, description, questions, labels, alternative text.

use crate::domain::voice::content_words;
use crate::domain::written_article::FaqEntry;

use super::foreign_topic::is_small;
use super::joining::join_sentences;
use super::placeholder::Slot;
use super::prose::{prose, serving as sections_serving};
use super::prose_file::{Purpose, Section};
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;
use super::template::Template;
use super::wording::capitalised;

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

/// The slots that tell what a title is about.
const NAMING_SLOTS: [Slot; 6] = [Slot::Topic, Slot::Bare, Slot::HowTo, Slot::FirstOption, Slot::Question, Slot::List];

/// The texts around a body.
#[derive(Debug)]
pub(super) struct ArticleMetadata {
    pub(super) title: String,
    pub(super) excerpt: String,
    pub(super) description: String,
    pub(super) alt: String,
    pub(super) faq: Vec<FaqEntry>,
    pub(super) tags: Vec<String>,
}

/// Writes the texts around a body; `has_list` tells whether the list that was ordered is in it.
pub(super) fn article_metadata(
    purpose: Purpose,
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    has_list: bool,
) -> ArticleMetadata {
    let prose = prose(renderer.rules.language);
    let titles: Vec<&Template> = sections_serving(&prose.titles, purpose)
        .flat_map(|section| &section.headings)
        .filter(|title| has_list || !title.has(Slot::List))
        .collect();
    // What was made for the purpose comes first.
    let serving = |templates: &'static [Template]| -> Vec<&'static Template> {
        let made = templates.iter().filter(|template| template.purposes.contains(purpose.letter()));
        made.chain(templates.iter().filter(|template| template.purposes.is_empty())).collect()
    };
    let asking: Vec<&Template> =
        titles.iter().copied().filter(|title| title.has(Slot::Question) || title.has(Slot::List)).collect();
    let plain_title = slots.topic.bare.clone().unwrap_or_else(|| capitalised(&slots.topic.noun));
    ArticleMetadata {
        title: first_line(&asking, renderer, slots, |text| text.chars().count() <= MAX_TITLE_CHARS)
            .or_else(|| first_line(&titles, renderer, slots, |text| text.chars().count() <= MAX_SHORT_TITLE_CHARS))
            .or_else(|| first_line(&titles, renderer, slots, |text| text.chars().count() <= MAX_TITLE_CHARS))
            .unwrap_or(plain_title),
        excerpt: first_said(&serving(&prose.excerpts), renderer, slots, |text| {
            text.chars().count() <= MAX_EXCERPT_CHARS
        }),
        description: first_said(&serving(&prose.descriptions), renderer, slots, |text| {
            DESCRIPTION_CHARS.contains(&text.chars().count())
        }),
        alt: first_said(&serving(&prose.alts), renderer, slots, |text| text.chars().count() <= MAX_ALT_CHARS),
        faq: questions(purpose, renderer, &SlotValues { may_shorten: true, ..*slots }),
        tags: tags(slots, renderer),
    }
}

/// The first template, from a drawn start, that the profile allows and that fits.
fn first_line(
    templates: &[&Template],
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let start = renderer.dice.index(templates.first()?.number, templates.len());
    (0..templates.len())
        .map(|step| templates[(start + step) % templates.len()])
        // A title that is about something must not fall back to "this".
        .filter(|template| names_topic(template))
        .filter_map(|template| renderer.render_line(template, slots))
        .find(|text| fits(text))
}

fn first_said(
    templates: &[&Template],
    renderer: &SentenceRenderer<'_>,
    slots: &SlotValues<'_>,
    fits: impl Fn(&str) -> bool,
) -> String {
    let start = |group: &[&Template]| group.first().map_or(0, |first| renderer.dice.index(first.number, group.len()));
    let (made, general): (Vec<&Template>, Vec<&Template>) =
        templates.iter().partition(|template| !template.purposes.is_empty());
    let (named, unnamed): (Vec<&Template>, Vec<&Template>) = general.iter().partition(|template| names_topic(template));
    let rotated = [made, named, unnamed].into_iter().flat_map(|mut group| {
        let by = start(&group);
        group.rotate_left(by);
        group
    });
    let mut said = rotated.filter_map(|template| renderer.render(template, slots)).map(|sentences| sentences.join(" "));
    said.find(|text| fits(text)).unwrap_or_default()
}

fn names_topic(template: &Template) -> bool {
    NAMING_SLOTS.into_iter().any(|slot| template.has(slot))
}

fn questions(purpose: Purpose, renderer: &SentenceRenderer<'_>, slots: &SlotValues<'_>) -> Vec<FaqEntry> {
    let wanted = renderer.rules.voice.faq_count as usize;
    let mut sections: Vec<&Section> = prose(renderer.rules.language).questions.iter().collect();
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
    let answer = join_sentences(renderer, answer, slots.elaboration, number).join(" ");
    (!answer.is_empty()).then_some(FaqEntry { question, answer })
}

fn tags(slots: &SlotValues<'_>, renderer: &SentenceRenderer<'_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for word in content_words(&slots.topic.noun) {
        let is_label = word.chars().count() > 2
            && !NEVER_TAGS.contains(&word.as_str())
            && !is_small(&word)
            && word.chars().count() <= MAX_TAG_CHARS
            && !word.chars().all(char::is_numeric);
        if is_label && tags.len() < MAX_TAGS && !tags.contains(&word) && renderer.rules.allows(&word) {
            tags.push(word);
        }
    }
    tags
}
