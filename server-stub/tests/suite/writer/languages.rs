//! German, French and Spanish have separate sentences. Other languages are rejected.

use contentgen_server_stub::domain::voice::{PointOfView, SupportedLanguage, count_pronouns_in, is_english};
use contentgen_server_stub::domain::written_article::{InternalLink, WrittenArticle};
use contentgen_server_stub::generation::{ArticleBrief, FailureCode};
use proptest::prelude::*;

use super::briefs::{all_text, brief_about, write};

pub(super) const TOPICS: &str = include_str!("topics_other_languages.txt");

/// Frequent words that only one of the languages has.
const SMALL_WORDS: [(&str, &str); 4] = [
    ("en", " the and is with that not for "),
    ("de", " der die das und ist nicht für "),
    ("fr", " le les et est une pour dans "),
    ("es", " el los y es una para que "),
];

/// Returns the topics of a language.
pub(super) fn topics_in(language: &str) -> Vec<&'static str> {
    let lines = TOPICS.lines().filter_map(|line| line.split_once(": "));
    lines.filter(|(tag, _)| *tag == language).map(|(_, topic)| topic).collect()
}

fn brief_in(language: &str, topic: &str) -> ArticleBrief {
    let mut brief = brief_about(topic);
    language.clone_into(&mut brief.language);
    brief
}

/// Returns the number of frequent words of each language, in the order of `SMALL_WORDS`.
fn small_words(text: &str) -> Vec<usize> {
    let words: Vec<String> = text.to_lowercase().split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect();
    SMALL_WORDS
        .iter()
        .map(|(_, list)| words.iter().filter(|word| list.contains(&format!(" {word} "))).count())
        .collect()
}

fn assert_written_in(language: &str, article: &WrittenArticle) {
    let counts = small_words(&all_text(article));
    let own = SMALL_WORDS.iter().position(|(tag, _)| *tag == language).expect("a known language");
    let others = counts.iter().enumerate().filter(|(at, _)| *at != own).map(|(_, count)| *count).max();
    assert!(others.is_some_and(|others| counts[own] > others * 2), "{language}: {counts:?}\n{}", article.title);
    let text = all_text(article);
    for leftover in ["{", "[", "<", " +", "|]", "..", " ,", " .", " de el ", "\u{ab} \u{bb}"] {
        let is_markdown = leftover == "[" || leftover == "<";
        assert!(is_markdown || !text.contains(leftover), "{language} has {leftover:?} in\n{text}");
    }
}

#[test]
fn each_language_is_written_in_its_own_words_whatever_the_length() {
    for (language, tag) in [("de", "de-AT"), ("fr", "FR"), ("es", "es-419")] {
        let topics = topics_in(language);
        assert!(topics.len() >= 20, "{} topics in {language}", topics.len());
        for (topic, target) in topics.iter().zip([1200, 200, 700, 2500, 400, 5000, 1000, 300].into_iter().cycle()) {
            let mut brief = brief_in(tag, topic);
            brief.target_word_count = target;
            let article = write(&brief).unwrap_or_else(|error| panic!("{topic}: {error}"));
            assert!(article.voice.passed, "{topic}: {:?}", article.voice);
            assert!(!is_english(&article.language) && article.language == tag);
            assert_eq!(article.json_ld["@graph"][0]["inLanguage"], tag);
            let share = f64::from(article.word_count) / f64::from(target);
            assert!((0.85..=1.1).contains(&share), "{topic}: {} of {target} words", article.word_count);
            assert_written_in(language, &article);
        }
    }
}

#[test]
fn a_language_that_it_does_not_write_is_refused_with_those_that_it_does() {
    for language in ["it", "pt-BR", "nl", "ja", "den", "zh-Hant-TW-x-private"] {
        let error = write(&brief_in(language, "Giardinaggio in primavera")).expect_err("not a language of the writer");
        assert_eq!(error.code, FailureCode::LanguageNotSupported);
        assert_eq!(error.code.as_str(), "language_not_supported");
        assert!(!error.code.is_retryable());
        for part in [language, "English", "German", "French", "Spanish"] {
            assert!(error.message.contains(part), "{error} does not name {part}");
        }
    }
}

#[test]
fn the_reader_is_addressed_as_formally_as_the_profile_is() {
    for (language, topic, formal, informal) in [
        ("de", "Rosen im Frühling schneiden", " Ihr", " du "),
        ("fr", "Tailler ses rosiers au printemps", " vous ", " tu "),
        ("es", "Podar rosales en primavera", "usted", " tú "),
    ] {
        for (formality, expected, other) in [(4, formal, informal), (1, informal, formal)] {
            let mut brief = brief_in(language, topic);
            brief.voice.point_of_view = PointOfView::SecondPerson;
            brief.voice.tone_dimensions.formality = formality;
            let text = all_text(&write(&brief).expect("an ordinary brief"));
            assert!(text.contains(expected), "{language} {formality}: no {expected:?} in\n{text}");
            assert!(!text.contains(other), "{language} {formality}: {other:?} in\n{text}");
        }
    }
}

#[test]
fn the_point_of_view_decides_who_speaks_in_each_language() {
    for language in [SupportedLanguage::German, SupportedLanguage::French, SupportedLanguage::Spanish] {
        let topic = topics_in(language.subtag())[0];
        let counts = |point_of_view: PointOfView| {
            let mut brief = brief_in(language.subtag(), topic);
            brief.voice.point_of_view = point_of_view;
            let article = write(&brief).unwrap_or_else(|error| panic!("{language:?} {point_of_view:?}: {error}"));
            count_pronouns_in(language, &all_text(&article))
        };
        let (one, many) = (counts(PointOfView::FirstPersonSingular), counts(PointOfView::FirstPersonPlural));
        let (you, nobody) = (counts(PointOfView::SecondPerson), counts(PointOfView::ThirdPerson));
        assert!(one.singular >= 2 && one.plural == 0, "{language:?}: {one:?}");
        assert!(many.plural >= 2 && many.singular == 0, "{language:?}: {many:?}");
        assert!(you.second >= 8 && you.singular + you.plural == 0, "{language:?}: {you:?}");
        assert_eq!(nobody.singular + nobody.plural + nobody.second, 0, "{language:?}: {nobody:?}");
    }
}

#[test]
fn links_to_related_articles_stand_under_a_heading_of_the_language() {
    let mut brief = brief_in("fr", "Tailler ses rosiers au printemps");
    let link = InternalLink {
        url: "https://harbour.example/a".to_owned(),
        anchor_text: "Les rosiers des petits jardins".to_owned(),
    };
    brief.published = vec![link];
    let article = write(&brief).expect("an ordinary brief");
    assert_eq!(article.internal_links.len(), 1);
    assert!(article.outline.iter().any(|entry| entry.text == "À lire ensuite"), "{:?}", article.outline);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_topic_in_any_of_the_languages_keeps_every_rule(
        topic in "\\PC{1,120}", language in prop::sample::select(vec!["de", "fr", "es"]), target in 200_u32..1500
    ) {
        let mut brief = brief_in(language, &topic);
        brief.target_word_count = target;
        let article = write(&brief).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(article.voice.passed);
        let share = f64::from(article.word_count) / f64::from(target);
        prop_assert!((0.85..=1.15).contains(&share), "{} of {target} words", article.word_count);
    }
}
