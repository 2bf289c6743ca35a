//! The offline generator: composes the text, places the keywords, fits the reading grade and returns a draft.

use async_trait::async_trait;

use crate::domain::voice::{ReadingGrade, SupportedLanguage, VoiceReport, reading_grade, sentences};
use crate::generation::assemble::{closing, count_words, render};
use crate::generation::generator::{
    ArticleBrief, ArticleDraft, ArticleGenerator, DraftSection, FailureCode, GenerationError,
};

use super::compose::{Composer, ONE_PARAGRAPH_ABOVE, word_count};
use super::keyword_placement::KeywordPlacement;
use super::metadata::{ALT_CHARS, DESCRIPTION_CHARS, EXCERPT_CHARS, Metadata};
use super::profile_rules::ProfileRules;
use super::prose::prose;
use super::seed::dice;
use super::sentence_renderer::{ALL_JOINED, SentenceRenderer, Slots};
use super::topic::Topic;

/// The "about us" sentence has at most one in this many words of the text.
const MAX_BOILERPLATE_FRACTION: usize = 5;
/// Window for languages whose reading grade is not measured.
const ANY_GRADE: ReadingGrade = ReadingGrade { min: 1, max: 18 };
/// Degree of elaboration to try first.
const NATURAL: f64 = 0.95;
/// Degrees to try when the grade is too high.
const PLAINER: [f64; 8] = [0.7, 0.5, 0.3, 0.0, -0.2, -0.4, -0.7, -1.0];
/// Degrees to try when the grade is too low.
const MORE_ELABORATE: [f64; 11] = [1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.85, ALL_JOINED, 3.0];
/// Distance from the ends of a window of several grades, so that a changed sentence does not move the grade out of the window.
const MARGIN: f64 = 0.5;

/// Writes sample articles from templates without a network. The same brief always produces the same bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineWriter;

#[async_trait]
impl ArticleGenerator for OfflineWriter {
    fn name(&self) -> String {
        "offline".to_owned()
    }

    async fn draft(&self, brief: &ArticleBrief) -> Result<ArticleDraft, GenerationError> {
        write(brief, 0)
    }

    async fn revise(
        &self,
        brief: &ArticleBrief,
        _: &ArticleDraft,
        _: &VoiceReport,
        repair: u32,
    ) -> Result<ArticleDraft, GenerationError> {
        write(brief, repair)
    }
}

fn write(brief: &ArticleBrief, attempt: u32) -> Result<ArticleDraft, GenerationError> {
    let language = SupportedLanguage::of(&brief.language).ok_or_else(|| not_supported(&brief.language))?;
    let prose = prose(language);
    let renderer = SentenceRenderer { rules: ProfileRules::new(&brief.voice, language), dice: dice(brief, attempt) };
    let topic = Topic::read(&brief.topic, &renderer.rules)?;
    let metadata = Metadata { topic: &topic, prose, renderer: &renderer };
    let title = metadata.title();
    let placement = KeywordPlacement::prepare(brief, &title, prose, &renderer);
    let boilerplate = boilerplate(brief, &renderer.rules);
    let added = count_words(&render(&closing(brief).markdown).html) as usize
        + placement.word_count()
        + boilerplate.as_deref().map_or(0, word_count);
    let target = (brief.target_word_count as usize).saturating_sub(added);
    let call = brief.voice.cta.as_ref().map_or("", |cta| cta.text.as_str());
    let window = if language == SupportedLanguage::English { brief.voice.reading_grade } else { ANY_GRADE };
    let (sections, faq) = fit_reading_grade(window, |degree| {
        let slots = Slots { topic: &topic.in_body, degree, ..Slots::default() };
        let composer = Composer { prose, renderer: &renderer, slots };
        let mut sections = composer.compose(&topic.in_opening, target);
        // A keyword stays in a separate sentence, unless the text should have few sentences.
        let joins_all = degree > ONE_PARAGRAPH_ABOVE;
        if !joins_all {
            composer.join(&mut sections);
        }
        placement.apply(&mut sections);
        if joins_all {
            composer.join(&mut sections);
        }
        if let (Some(text), Some(last)) = (&boilerplate, sections.last_mut()) {
            last.paragraphs.push(vec![text.clone()]);
        }
        let faq = metadata.questions(degree);
        let body = sections.iter().flat_map(|section| &section.paragraphs).flatten();
        let answers = faq.iter().map(|entry| &entry.answer);
        let grade = reading_grade(body.chain(answers).map(String::as_str).chain([call]), 1);
        ((sections, faq), grade)
    });
    let sections = sections
        .into_iter()
        .map(|section| DraftSection { markdown: section.markdown(), heading: section.heading, level: 2 })
        .collect();
    Ok(ArticleDraft {
        title,
        excerpt: metadata.around("excerpts", &EXCERPT_CHARS),
        meta_description: metadata.around("descriptions", &DESCRIPTION_CHARS),
        sections,
        faq,
        keywords: vec![topic.phrase.clone()].into_iter().filter(|phrase| !phrase.is_empty()).collect(),
        tags: metadata.tags(),
        hero_alt: metadata.around("alts", &ALT_CHARS),
    })
}

/// Tries degrees until the grade that `write` returns is in the window. Returns the result with the nearest grade if none is.
fn fit_reading_grade<T>(window: ReadingGrade, write: impl Fn(f64) -> (T, Option<f64>)) -> T {
    let margin = if window.max > window.min + 1 { MARGIN } else { 0.0 };
    let (least, most) = (f64::from(window.min) + margin, f64::from(window.max) - margin);
    let miss = |grade: Option<f64>| grade.map_or(0.0, |grade| (least - grade).max(grade - most).max(0.0));
    let (mut best, grade) = write(NATURAL);
    let mut smallest = miss(grade);
    let steps = if grade.is_some_and(|grade| grade > most) { &PLAINER[..] } else { &MORE_ELABORATE[..] };
    for degree in steps {
        if smallest <= 0.0 {
            break;
        }
        let (written, grade) = write(*degree);
        if miss(grade) < smallest {
            smallest = miss(grade);
            best = written;
        }
    }
    best
}

fn not_supported(language: &str) -> GenerationError {
    let names: Vec<&str> = SupportedLanguage::ALL.into_iter().map(SupportedLanguage::name).collect();
    let (last, others) = names.split_last().expect("there are languages");
    let message = format!(
        "the offline writer does not support the language \"{language}\"; choose {} or {last}",
        others.join(", ")
    );
    GenerationError::new(FailureCode::LanguageNotSupported, message)
}

/// Returns the profile's sentence about the company, if it satisfies the profile's rules.
fn boilerplate(brief: &ArticleBrief, rules: &ProfileRules<'_>) -> Option<String> {
    let text = brief.voice.boilerplate.as_ref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = word_count(&text);
    let is_short = words > 0 && words * MAX_BOILERPLATE_FRACTION <= brief.target_word_count as usize;
    let fits = sentences(&text).iter().all(|sentence| rules.fits(sentence));
    (is_short && fits && rules.allows(&text)).then_some(text)
}
