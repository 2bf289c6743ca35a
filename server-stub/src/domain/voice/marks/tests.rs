//! Marks agree with the rules for any text and profile.

use proptest::prelude::*;

use super::super::rules::check_wording;
use super::super::{BrandVoice, CallToAction, Contractions, EmojiUse, PointOfView, Replacement};
use super::{Mark, marks};

/// Rules whose every failure has a place.
const PLACEABLE: [&str; 6] =
    ["banned_terms", "replacements", "sentence_length", "contractions", "emoji", "exclamations"];

fn strict_voice() -> BrandVoice {
    let mut voice = BrandVoice {
        contractions: Contractions::Avoid,
        point_of_view: PointOfView::ThirdPerson,
        max_sentence_words: 10,
        cta: Some(CallToAction { text: "You call us now".to_owned(), url: None }),
        ..BrandVoice::default()
    };
    voice.vocabulary.avoid = vec!["cheap".to_owned(), "weed  killer".to_owned(), "\u{e9}tat".to_owned()];
    voice.vocabulary.replace = vec![Replacement { from: "earth".to_owned(), to: "soil".to_owned() }];
    voice
}

fn marked<'t>(text: &'t str, marks: &[Mark]) -> Vec<(&'static str, &'t str)> {
    marks.iter().map(|mark| (mark.rule, &text[mark.range.clone()])).collect()
}

#[test]
fn each_rule_marks_what_breaks_it() {
    let text = "# A *cheap* plan\n\nDon't use weed\nkiller on the earth! \u{1f331} \\
                See https://cheap.example/earth!! and `cheap`. \u{201c}You and I\u{201d} say we.\n\n- You call us now\n\n&#x1f680; caf&eacute; cheap";
    let marks = marks(&strict_voice(), "en", text);
    assert_eq!(
        marked(text, &marks),
        [
            ("banned_terms", "cheap"),
            ("contractions", "Don't"),
            ("banned_terms", "weed\nkiller"),
            ("replacements", "earth"),
            ("exclamations", "!"),
            ("emoji", "\u{1f331}"),
            ("point_of_view", "we"),
            ("emoji", "&#x1f680;"),
            ("banned_terms", "cheap"),
        ]
    );
}

#[test]
fn a_long_sentence_is_marked_from_its_first_word_to_its_last() {
    let text = "Short one. This **sentence** has far more words than the ten that are allowed. Short again.";
    let marks = marks(&strict_voice(), "en", text);
    assert_eq!(
        marked(text, &marks),
        [("sentence_length", "This **sentence** has far more words than the ten that are allowed.")]
    );
}

#[test]
fn exclamations_are_marked_from_the_first_one_too_many() {
    let voice = BrandVoice { max_exclamations: 1, ..BrandVoice::default() };
    let text = "One!\n\nTwo\u{ff01} Three!";
    assert_eq!(marked(text, &marks(&voice, "de", text)), [("exclamations", "\u{ff01}"), ("exclamations", "!")]);
}

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "cheap",
        "weed",
        "killer",
        "earth",
        "don't",
        "we\u{2019}re",
        "I",
        "you",
        "ours",
        "!",
        "\u{ff01}",
        ". ",
        "? ",
        " ",
        "\n",
        "\n\n",
        "# ",
        "- ",
        "> ",
        "1. ",
        "| a | b |\n|---|---|\n| cheap | x! |\n",
        "`cheap!`",
        "```\nearth\n```\n",
        "**",
        "_",
        "~",
        "[cheap](https://earth.example)",
        "https://cheap.example/! ",
        "&amp;",
        "&#x1f680;",
        "&eacute;tat",
        "\\!",
        "\\\\",
        "\u{1f331}",
        "\u{1f468}\u{200d}\u{1f33e}",
        "\u{e9}tat",
        "\u{201c}",
        "\u{201d}",
        "\"",
        "<b>",
        "<!--",
        "-->",
        "  \n",
        "\r\n",
        "You call us now",
        "\u{212a}",
        "\t",
        "\0",
        "one two three four five six seven eight nine ten eleven",
    ]);
    let any = prop_oneof![8 => pieces.prop_map(str::to_owned), 1 => ".{0,4}"];
    let joined = (any, prop_oneof![Just(""), Just(" ")]).prop_map(|(piece, space)| piece + space);
    prop::collection::vec(joined, 0..24).prop_map(|pieces| pieces.concat())
}

fn voice() -> impl Strategy<Value = BrandVoice> {
    let (views, more) = (
        prop::sample::select(vec![PointOfView::ThirdPerson, PointOfView::SecondPerson, PointOfView::Any]),
        (0..3_u32, any::<bool>(), any::<bool>(), any::<bool>()),
    );
    (views, more).prop_map(|(point_of_view, (max_exclamations, emoji, contractions, has_terms))| {
        let strict = strict_voice();
        BrandVoice {
            point_of_view,
            max_exclamations,
            emoji: if emoji { EmojiUse::Allow } else { EmojiUse::None },
            contractions: if contractions { Contractions::Allow } else { Contractions::Avoid },
            vocabulary: if has_terms { strict.vocabulary.clone() } else { BrandVoice::default().vocabulary },
            ..strict
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn marks_are_sorted_parts_of_the_text_and_agree_with_the_rules(
        voice in voice(),
        language in prop::sample::select(vec!["en", "de"]),
        text in text(),
    ) {
        let marks = marks(&voice, language, &text);
        for mark in &marks {
            prop_assert!(!mark.range.is_empty() && text.get(mark.range.clone()).is_some(), "{:?}", mark);
        }
        prop_assert!(marks.is_sorted_by_key(|mark| (mark.range.start, mark.range.end)));
        let checks = check_wording(&voice, language, &text);
        let fails = |rule| checks.iter().any(|check| check.rule == rule && !check.passed);
        let is_marked = |rule| marks.iter().any(|mark| mark.rule == rule);
        for rule in PLACEABLE {
            prop_assert_eq!(fails(rule), is_marked(rule), "{}", rule);
        }
        prop_assert!(fails("point_of_view") || !is_marked("point_of_view"));
        if voice.point_of_view == PointOfView::ThirdPerson {
            prop_assert_eq!(fails("point_of_view"), is_marked("point_of_view"));
        }
    }
}
