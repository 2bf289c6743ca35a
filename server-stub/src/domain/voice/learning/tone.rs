//! Adjectives and scales for the tone, derived from counts. Learns the point of view from the pronouns.

use super::super::language::{SupportedLanguage, is_question, words};
use super::super::profile::{BrandVoice, PointOfView, ToneDimensions};
use super::super::rules::{Pronouns, count_pronouns_in, keeps_point_of_view, measured_grade};
use super::corpus::Corpus;
use super::style;

/// Counts of the texts.
struct Measures {
    median_sentence_words: usize,
    /// Mean grade of the texts that have one.
    grade: Option<f64>,
    /// Contractions per thousand words.
    contractions: f64,
    /// "You" and its forms per thousand words.
    address: f64,
    /// Exclamation marks and pictographs per thousand words.
    exclamations: f64,
    /// Number of sentences per question; `None` without questions.
    sentences_per_question: Option<usize>,
}

impl Measures {
    #[expect(clippy::cast_precision_loss, reason = "there are at most 50 texts")]
    fn of(corpus: &Corpus<'_>) -> Self {
        let sentences = &corpus.sentences;
        let mut lengths: Vec<usize> = sentences.iter().map(|(_, sentence)| words(sentence).count()).collect();
        lengths.sort_unstable();
        let grades: Vec<f64> =
            corpus.manuscripts().filter(|_| corpus.is_english()).filter_map(measured_grade).collect();
        let loud = style::exclamations_by_text(corpus).iter().sum::<usize>() + style::emoji_count(corpus);
        let questions = sentences.iter().filter(|(_, sentence)| is_question(sentence)).count();
        Self {
            median_sentence_words: lengths.get(lengths.len() / 2).copied().unwrap_or(0),
            grade: (!grades.is_empty()).then(|| grades.iter().sum::<f64>() / grades.len() as f64),
            contractions: corpus.per_thousand_words(style::contraction_list(corpus).len()),
            address: corpus.per_thousand_words(pronouns(corpus).second),
            exclamations: corpus.per_thousand_words(loud),
            sentences_per_question: (questions > 0).then(|| sentences.len() / questions),
        }
    }
}

pub(super) fn tone(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let measures = Measures::of(corpus);
    let mut found: Vec<(&str, String)> = Vec::new();
    let median = measures.median_sentence_words;
    match median {
        1..=12 => found.push(("concise", format!("half of the sentences have at most {median} words"))),
        22.. => found.push(("elaborate", format!("half of the sentences have {median} words or more"))),
        _ => {}
    }
    if let Some(grade) = measures.grade {
        if grade < 7.0 {
            found.push(("plain", format!("reading grade {grade:.1}")));
        } else if grade >= 13.0 {
            found.push(("scholarly", format!("reading grade {grade:.1}")));
        }
    }
    if measures.contractions >= 10.0 {
        found.push(("conversational", format!("{:.0} contractions in a thousand words", measures.contractions)));
    }
    if measures.address >= 10.0 {
        found.push(("direct", format!("\"you\" {:.0} times in a thousand words", measures.address)));
    }
    if measures.exclamations >= 5.0 {
        let what = "exclamation marks and pictographs in a thousand words";
        found.push(("lively", format!("{:.0} {what}", measures.exclamations)));
    } else if measures.exclamations == 0.0 {
        found.push(("calm", "no exclamation mark and no pictograph".to_owned()));
    }
    if let Some(count) = measures.sentences_per_question.filter(|count| *count <= 8) {
        found.push(("inviting", format!("one sentence in {count} asks something")));
    }
    voice.tone = found.iter().map(|(adjective, _)| (*adjective).to_owned()).collect();
    if found.is_empty() {
        return vec!["Nothing that was counted stands out: say it in your own words.".to_owned()];
    }
    found.into_iter().map(|(adjective, why)| format!("{adjective}: {why}.")).collect()
}

pub(super) fn tone_dimensions(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    let measures = Measures::of(corpus);
    let formality = match measures.contractions {
        often if often >= 25.0 => 1,
        often if often >= 10.0 => 2,
        often if often > 0.0 || !corpus.is_english() => 3,
        _ if measures.grade.is_some_and(|grade| grade >= 13.0) => 5,
        _ => 4,
    };
    let enthusiasm = match measures.exclamations {
        often if often >= 8.0 => 5,
        often if often >= 3.0 => 4,
        often if often > 0.0 => 3,
        _ => 2,
    };
    voice.tone_dimensions = ToneDimensions { formality, enthusiasm, ..ToneDimensions::default() };
    vec![
        format!("formality: {:.1} contractions in a thousand words.", measures.contractions),
        format!("enthusiasm: {:.1} exclamation marks and pictographs in a thousand words.", measures.exclamations),
        "humour and respect: in the middle, since nothing that can be counted shows them.".to_owned(),
    ]
}

pub(super) fn point_of_view(corpus: &Corpus<'_>, voice: &mut BrandVoice) -> Vec<String> {
    if SupportedLanguage::of(corpus.language).is_none() {
        return vec!["Not learnt: the rule does not know the pronouns of this language.".to_owned()];
    }
    let counts = pronouns(corpus);
    let mut candidates = [
        (counts.second, PointOfView::SecondPerson, "\"you\" is addressed"),
        (counts.plural, PointOfView::FirstPersonPlural, "\"we\" advise, and nobody says \"I\""),
        (counts.singular, PointOfView::FirstPersonSingular, "\"I\" advise"),
    ];
    candidates.sort_by_key(|(count, ..)| std::cmp::Reverse(*count));
    let nobody = [(0, PointOfView::ThirdPerson, "nobody speaks and nobody is addressed")];
    let holds_everywhere = |point: PointOfView| {
        let voice = BrandVoice { point_of_view: point, ..voice.clone() };
        corpus.manuscripts().all(|text| keeps_point_of_view(&voice, text))
    };
    let found = nobody.into_iter().chain(candidates).find(|(_, point, _)| holds_everywhere(*point));
    let seen = format!("I {}, we {}, you {}, with their other forms", counts.singular, counts.plural, counts.second);
    match found {
        Some((_, point, what)) => {
            voice.point_of_view = point;
            vec![format!("{seen}: in every text {what}.")]
        }
        None => vec![format!("{seen}: no rule holds in every text.")],
    }
}

/// Returns the pronoun counts of all texts; zero if the language is not supported.
fn pronouns(corpus: &Corpus<'_>) -> Pronouns {
    let Some(language) = SupportedLanguage::of(corpus.language) else { return Pronouns::default() };
    corpus.lines.iter().fold(Pronouns::default(), |mut counts, line| {
        let found = count_pronouns_in(language, line);
        counts.singular += found.singular;
        counts.plural += found.plural;
        counts.second += found.second;
        counts
    })
}
