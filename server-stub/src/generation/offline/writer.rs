//! The offline generator: plan, compose, fit the reading grade, place the keywords, and hand over a draft.

use async_trait::async_trait;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::voice::{SupportedLanguage, VoiceReport};
use crate::generation::assemble::{closing, count_words, render};
use crate::generation::generator::{
    ArticleBrief, ArticleDraft, ArticleGenerator, DraftSection, FailureCode, GenerationError,
};

use super::article_metadata::{ArticleMetadata, article_metadata};
use super::compose::compose;
use super::grade_fitting::fit_reading_grade;
use super::keyword_placement::KeywordPlacement;
use super::markdown_blocks::{Block, ComposedSection, grade};
use super::plan::Plan;
use super::profile_rules::ProfileRules;
use super::prose::prose;
use super::seed::{Dice, random_source};
use super::sentence_renderer::SentenceRenderer;
use super::slot_values::SlotValues;
use super::subject_area::subject_area_of;
use super::topic::Topic;

/// The "about us" sentence takes at most one part in so many of the text.
const MAX_BOILERPLATE_FRACTION: usize = 5;

const QUOTATION_MARKS: [char; 5] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}'];
/// The window of a language whose reading grade is not measured.
const ANY_GRADE: (u8, u8) = (1, 18);

/// Writes articles from templates, without any network; the same brief always gives the same bytes.
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
    let mut random = random_source(brief, attempt);
    let renderer = SentenceRenderer::new(ProfileRules::new(&brief.voice, language), Dice::new(&mut random));
    let topic = Topic::read(&brief.topic, &brief.keywords, &renderer.rules)?;
    let target = brief.target_word_count as usize;
    let field = subject_area_of(&prose.fields, &brief.topic, &brief.keywords);
    let plan = Plan::choose(prose, &topic, field, target, &mut random);
    let slots = SlotValues { topic: &topic, field, term: "", elaboration: 0.5, joined: false, may_shorten: false };
    let closing = closing(brief).markdown;
    let placement = KeywordPlacement::prepare(brief, &slots, &renderer, attempt > 0);
    let boilerplate = boilerplate(brief, &renderer);
    let added = count_words(&render(&closing).html) as usize
        + placement.word_count()
        + boilerplate.as_ref().map_or(0, Block::word_count);
    let call = brief.voice.cta.as_ref().map_or("", |cta| cta.text.as_str());
    let mut window = brief.voice.reading_grade;
    if language != SupportedLanguage::English {
        (window.min, window.max) = ANY_GRADE;
    }
    let (sections, front) = fit_reading_grade(window, |elaboration| {
        let slots = SlotValues { elaboration, ..slots };
        let (mut sections, has_list) = compose(&plan, &renderer, &slots, target.saturating_sub(added));
        placement.apply(&mut sections);
        if let (Some(block), Some(last)) = (&boilerplate, sections.last_mut()) {
            last.blocks.push(block.clone());
        }
        let front = article_metadata(plan.purpose, &renderer, &slots, has_list);
        let further = front.faq.iter().map(|entry| entry.answer.as_str()).chain([call]);
        let grade = grade(&sections, further);
        ((sections, front), grade)
    });
    Ok(draft(&sections, front, &topic))
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

/// The profile's own sentence about the company, where it keeps the profile's rules.
fn boilerplate(brief: &ArticleBrief, renderer: &SentenceRenderer<'_>) -> Option<Block> {
    let text = brief.voice.boilerplate.as_ref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = text.unicode_words().count();
    let fits = crate::domain::voice::sentences(&text).iter().all(|sentence| renderer.rules.fits(sentence));
    let is_short = words > 0 && words * MAX_BOILERPLATE_FRACTION <= brief.target_word_count as usize;
    (fits && is_short && renderer.rules.allows(&text)).then(|| Block::paragraph(vec![text]))
}

fn draft(sections: &[ComposedSection], front: ArticleMetadata, topic: &Topic) -> ArticleDraft {
    let sections = sections
        .iter()
        .map(|section| DraftSection { heading: section.heading.clone(), level: 2, markdown: section.markdown() })
        .collect();
    ArticleDraft {
        title: front.title,
        excerpt: front.excerpt,
        meta_description: front.description,
        sections,
        faq: front.faq,
        keywords: vec![topic.bare.as_ref().unwrap_or(&topic.noun).replace(QUOTATION_MARKS, "").trim().to_owned()],
        tags: front.tags,
        hero_alt: front.alt,
    }
}
