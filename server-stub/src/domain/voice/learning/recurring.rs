//! Texts that recur word for word, the number of questions, and the samples.

use std::collections::BTreeMap;

use super::super::language::{is_question, words};
use super::super::manuscript::{Manuscript, PassageKind};
use super::super::profile::{BrandVoice, CallToAction};
use super::corpus::Corpus;

/// Minimum number of texts that can have something in common.
const MIN_TEXTS: usize = 2;
/// Minimum length of a recurring sentence in words. Shorter sentences recur by chance.
const MIN_BOILERPLATE_WORDS: usize = 6;
const MAX_BOILERPLATE_CHARS: usize = 600;
const MAX_SAMPLES: usize = 5;
/// Maximum number of questions that a profile can require.
const MAX_FAQ: usize = 10;
const MAX_SAMPLE_CHARS: usize = 8000;

pub(super) fn cta(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let ends: Vec<_> = corpus.manuscripts().map(last_link).collect();
    let same = ends.first().cloned().flatten().filter(|first| ends.iter().all(|end| end.as_ref() == Some(first)));
    if ends.len() < MIN_TEXTS {
        return vec!["None: it takes two texts that end with the same link.".to_owned()];
    }
    let Some(found) = same else { return vec!["None: the texts do not all end with the same link.".to_owned()] };
    voice.cta = Some(found);
    let wrong = voice.validate();
    match wrong.first() {
        None => vec![format!("The last paragraph of all {} texts.", ends.len())],
        Some(violation) => {
            voice.cta = None;
            vec![format!("All texts end with the same link, but it {}.", violation.message)]
        }
    }
}

/// Returns the last paragraph, if it consists of one link.
fn last_link(text: &Manuscript<'_>) -> Option<CallToAction> {
    let last = text.passages.iter().rev().find(|passage| passage.kind == PassageKind::Paragraph)?;
    let url = last.links.first().filter(|_| last.links.len() == 1)?;
    let text = last.text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(CallToAction { text, url: Some(url.clone()) })
}

pub(super) fn boilerplate(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let mut texts_with: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (text, sentence) in &corpus.sentences {
        let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        texts_with.entry(sentence).or_default().push(*text);
    }
    let is_call = |sentence: &String| voice.cta.as_ref().is_some_and(|cta| &cta.text == sentence);
    // A sentence that occurs twice in one text belongs to that text's subject.
    let is_once_a_text = |texts: &[usize]| texts.windows(2).all(|pair| pair[0] != pair[1]);
    let fits = |sentence: &String| {
        words(sentence).count() >= MIN_BOILERPLATE_WORDS && sentence.chars().count() <= MAX_BOILERPLATE_CHARS
    };
    let ends: Vec<_> = corpus.manuscripts().filter_map(last_link).map(|link| link.text).collect();
    let common = texts_with
        .into_iter()
        .filter(|(sentence, texts)| {
            let is_common = texts.len() >= MIN_TEXTS && texts.len() * 2 >= corpus.samples.len();
            is_common && is_once_a_text(texts) && fits(sentence)
        })
        .filter(|(sentence, _)| !is_call(sentence) && !ends.contains(sentence))
        .max_by_key(|(_, texts)| texts.len());
    match common {
        Some((sentence, texts)) => {
            voice.boilerplate = Some(sentence);
            vec![format!("It stands in {} of {} texts.", texts.len(), corpus.samples.len())]
        }
        None => vec![
            "None: no sentence of six words or more, besides the link at the end, stands in half of the texts."
                .to_owned(),
        ],
    }
}

pub(super) fn faq_count(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let questions = |text: &Manuscript<'_>| {
        let headings = text.passages.iter().filter(|passage| matches!(passage.kind, PassageKind::Heading(2..)));
        headings.filter(|heading| is_question(&heading.text)).count()
    };
    let mut counts: Vec<usize> = corpus.manuscripts().map(questions).collect();
    counts.sort_unstable();
    let usual = counts[counts.len() / 2];
    voice.faq_count = u32::try_from(usual.min(MAX_FAQ)).expect("at most 10");
    let limit = if usual > MAX_FAQ { format!(" A profile takes {MAX_FAQ}.") } else { String::new() };
    vec![format!("Half of the texts have at most {usual} headings that ask something.{limit}")]
}

pub(super) fn samples(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let texts = corpus.samples.iter().take(MAX_SAMPLES);
    voice.samples =
        texts.map(|(sample, _)| shortened(sample.markdown.trim())).filter(|text| !text.is_empty()).collect();
    let names: Vec<&str> = corpus.samples.iter().take(MAX_SAMPLES).map(|(sample, _)| sample.name).collect();
    vec![format!("The beginnings of {}. A model reads them before it writes.", names.join(", "))]
}

/// Returns as many whole paragraphs from the beginning as fit.
fn shortened(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_SAMPLE_CHARS) else { return text.to_owned() };
    let fits = &text[..end];
    fits.rfind("\n\n").map_or(fits, |end| &fits[..end]).trim_end().to_owned()
}
