//! Proposes a profile from texts. One file per family of rules contains what is learnt.

use std::collections::BTreeMap;

use super::super::profile::BrandVoice;
use super::corpus::{Corpus, Sample};
use super::{recurring, style, tone, vocabulary};

/// The order matters: the call to action must follow the rules before it, and the rules after it exclude its words.
const MEMBERS: [(&str, Learn); 14] = [
    ("max_sentence_words", style::max_sentence_words),
    ("reading_grade", style::reading_grade),
    ("contractions", style::contractions),
    ("emoji", style::emoji),
    ("max_exclamations", style::max_exclamations),
    ("spelling", style::spelling),
    ("vocabulary", vocabulary::vocabulary),
    ("cta", recurring::cta),
    ("point_of_view", tone::point_of_view),
    ("tone", tone::tone),
    ("tone_dimensions", tone::tone_dimensions),
    ("faq_count", recurring::faq_count),
    ("boilerplate", recurring::boilerplate),
    ("samples", recurring::samples),
];
/// Fields that only the owner of the voice can provide.
const NOT_IN_TEXTS: [(&str, &str); 3] = [
    ("audience", "Texts do not tell who reads them: say it."),
    ("dos", "Say what no measure shows, such as \"open with an example\"."),
    ("donts", "Say what no measure shows, such as \"no politics\"."),
];
/// Minimum number of words of all texts together. Fewer words show no habits.
pub const MIN_WORDS: usize = 300;

/// A profile that the texts follow, except for single long sentences and for values beyond the limits of a profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The profile.
    pub voice: BrandVoice,
    /// Reasons for each field, one sentence per entry; also for fields that could not be learnt.
    pub evidence: BTreeMap<&'static str, Vec<String>>,
}

/// Error: the texts are too short to show a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the texts have {found} words in all, at least {MIN_WORDS} are needed; add more texts")]
pub struct TooLittleText {
    /// Number of words of all texts together.
    pub found: usize,
}

/// Sets a field of the profile from the texts, and returns the reasons.
type Learn = fn(&Corpus<'_>, &mut BrandVoice) -> Vec<String>;

/// Proposes a profile with this name.
///
/// # Errors
/// Returns an error if the texts have fewer than [`MIN_WORDS`] words.
pub fn learn(name: &str, language: &str, samples: &[Sample<'_>]) -> Result<Proposal, TooLittleText> {
    let corpus = Corpus::new(language, samples);
    let found = corpus.word_count;
    if found < MIN_WORDS {
        return Err(TooLittleText { found });
    }
    let mut voice = BrandVoice { name: name.to_owned(), ..BrandVoice::default() };
    let mut evidence: BTreeMap<_, _> = NOT_IN_TEXTS.map(|(member, why)| (member, vec![why.to_owned()])).into();
    for (member, learn) in MEMBERS {
        evidence.insert(member, learn(&corpus, &mut voice));
    }
    Ok(Proposal { voice, evidence })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::voice::{Contractions, EmojiUse, PointOfView, Spelling, check_wording};

    const SHARED: &str = "Harbour Bikes is a workshop by the old quay.";
    const CALL: &str = "[Book a fitting](https://bikes.example/book)";

    /// Returns a text of a workshop that addresses its readers.
    fn letter(subject: &str) -> String {
        let paragraph = format!(
            "You do not need many tools for the {subject}. Use a soft brush, and use it often. Start with the frame lock, then \
             look at the {subject} again. If your colour chips, ask us. You can use wax to help. Use the frame lock at night. \
             You will find that people start to enjoy it. You need about ten minutes, and your bicycle thanks you."
        );
        format!("# The {subject}\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n\n{SHARED}\n\n{CALL}\n")
    }

    #[test]
    fn the_habits_of_texts_become_rules_with_their_evidence() {
        let texts = [letter("chain"), letter("saddle"), letter("lamp")];
        let samples: Vec<_> = texts.iter().map(|markdown| Sample { name: "a.md", markdown }).collect();
        let found = learn("Workshop", "en", &samples).unwrap();
        let BrandVoice { vocabulary, cta, boilerplate, .. } = &found.voice;
        assert_eq!(found.voice.point_of_view, PointOfView::SecondPerson);
        assert_eq!((found.voice.contractions, found.voice.emoji), (Contractions::Avoid, EmojiUse::None));
        assert_eq!((found.voice.spelling, found.voice.max_exclamations), (Spelling::British, 0));
        assert_eq!(found.voice.max_sentence_words, 15);
        assert!(vocabulary.replace.iter().any(|pair| pair.from == "utilize" && pair.to == "use"), "{vocabulary:?}");
        assert!(vocabulary.prefer.iter().any(|wish| wish.term == "frame lock"), "{vocabulary:?}");
        assert_eq!(cta.as_ref().map(|cta| cta.text.as_str()), Some("Book a fitting"));
        assert_eq!(boilerplate.as_deref(), Some(SHARED));
        assert_eq!(found.voice.samples.len(), 3);
        assert!(found.voice.tone.contains(&"concise".to_owned()), "{:?}", found.voice.tone);
        assert!(found.evidence["spelling"][0].contains("colour"), "{:?}", found.evidence["spelling"]);
    }

    #[test]
    fn a_few_words_show_no_habit() {
        let samples = [Sample { name: "a.md", markdown: "One short note about nothing." }];
        assert_eq!(learn("x", "en", &samples).unwrap_err().found, 5);
    }

    /// Generates paragraphs with every kind of content.
    fn text() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec![
            "you",
            "I",
            "we",
            "don't",
            "use",
            "purchase",
            "buy",
            "colour",
            "color",
            "frame",
            "lock",
            "lamp",
            "the",
            "of",
            "Harbour",
            "weather",
            "\u{1f6b2}",
            "**bold**",
            "[link](https://a.example)",
            "https://b.example/x!",
            "`code`",
            "caf\u{e9}",
        ]);
        let end = prop::sample::select(vec![
            ". ",
            "! ",
            "? ",
            "\u{2026} ",
            ".\n\n",
            "?\n\n- ",
            ".\n\n## What is a lamp?\n\n",
        ]);
        let sentence = (prop::collection::vec(word, 3..40), end).prop_map(|(words, end)| words.join(" ") + end);
        (prop::collection::vec(sentence, 20..60), any::<bool>()).prop_map(|(sentences, calls)| {
            sentences.concat() + if calls { "\n\n" } else { "" } + if calls { CALL } else { "" }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn texts_keep_what_was_learnt_from_them(
            texts in prop::collection::vec(text(), 1..5),
            language in prop::sample::select(vec!["en", "en-GB", "de"]),
        ) {
            let samples: Vec<_> = texts.iter().map(|markdown| Sample { name: "a.md", markdown }).collect();
            prop_assume!(learn("x", language, &samples).is_ok());
            let found = learn("x", language, &samples).unwrap();
            prop_assert_eq!(found.voice.validate(), []);
            for text in &texts {
                for check in check_wording(&found.voice, language, text) {
                    let may_fail = matches!(check.rule.as_str(), "sentence_length" | "exclamations");
                    prop_assert!(check.passed || may_fail, "{:?} of {:?}", check, found.evidence);
                }
            }
        }
    }
}
