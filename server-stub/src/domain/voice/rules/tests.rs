//! Tests each rule with a text that follows it and one that violates it.

use std::sync::LazyLock;

use crate::domain::voice::{
    BrandVoice, CallToAction, CheckInput, Contractions, PointOfView, PreferredTerm, ReadingGrade, Replacement,
    VoiceReport, check,
};
use crate::domain::written_article::{FaqEntry, OutlineEntry};

static KEYWORDS: LazyLock<Vec<String>> = LazyLock::new(|| vec!["rose-beds".to_owned()]);
const GOOD: &str = "A garden plan helps you.\n\n## One\n\nYou look at the soil first.\n\n## Two\n\nYou choose plants for it.\n\n## Three\n\n\
    You water them in the morning. Book a visit now\n";

fn outline() -> Vec<OutlineEntry> {
    let entry = |text: &str| OutlineEntry { level: 2, text: text.to_owned(), anchor: text.to_lowercase() };
    vec![entry("One"), entry("Two"), entry("Three")]
}

fn report(voice: &BrandVoice, markdown: &str, change: impl FnOnce(&mut CheckInput<'_>)) -> VoiceReport {
    let (outline, faq) = (outline(), [FaqEntry { question: "Why?".to_owned(), answer: "It helps you.".to_owned() }]);
    let mut input = CheckInput {
        topic: "Garden plans",
        ordered_language: "en",
        language: "en",
        keywords: &[],
        target_word_count: 30,
        word_count: 30,
        title: "A garden plan",
        excerpt: "A plan.",
        meta_title: "A garden plan",
        meta_description: "A plan.",
        hero_alt: "A garden",
        markdown,
        outline: &outline,
        faq: &faq,
    };
    change(&mut input);
    check(voice, input)
}

fn voice() -> BrandVoice {
    BrandVoice { faq_count: 1, ..BrandVoice::default() }
}

fn assert_fails(rule: &str, voice: &BrandVoice, markdown: &str) {
    assert!(!report(voice, GOOD, |_| {}).fails(rule) || markdown == GOOD, "{rule} fails on a good text");
    let report = report(voice, markdown, |_| {});
    assert!(!report.passed && report.fails(rule), "{rule} passes on {markdown:?}: {report:?}");
}

#[test]
fn a_text_that_keeps_every_rule_passes() {
    let report = report(&voice(), GOOD, |_| {});
    assert!(report.passed && report.checks.len() == 15, "{report:?}");
}

#[test]
fn terms_are_banned_replaced_and_required() {
    let mut voice = voice();
    voice.vocabulary.avoid = vec!["weed killer".to_owned()];
    assert_fails("banned_terms", &voice, &GOOD.replace("soil", "Weed\nkiller"));
    assert!(
        report(&voice, &GOOD.replace("soil", "`weed killer` https://a.example/weed"), |_| {}).passed,
        "code and URLs are not read"
    );
    voice.vocabulary.replace = vec![Replacement { from: "earth".to_owned(), to: "soil".to_owned() }];
    assert_fails("replacements", &voice, &GOOD.replace("soil", "earth"));
    voice.vocabulary.prefer = vec![PreferredTerm { term: "morning".to_owned(), required: true }];
    assert_fails("required_terms", &voice, &GOOD.replace("morning", "evening"));
}

#[test]
fn sentences_are_measured() {
    let long = format!("You {}.", "look ".repeat(40));
    assert_fails("sentence_length", &voice(), &GOOD.replace("You look at the soil first.", &long));
    let hard = "Institutional considerations necessitate extraordinary deliberation. ".repeat(30);
    assert_fails(
        "reading_grade",
        &BrandVoice { max_sentence_words: 60, ..voice() },
        &GOOD.replace("You look at the soil first.", &hard),
    );
    let easy = BrandVoice { reading_grade: ReadingGrade { min: 18, max: 18 }, ..voice() };
    assert!(!report(&easy, GOOD, |_| {}).fails("reading_grade"), "a short text has no grade");
}

#[test]
fn the_person_is_checked() {
    let as_person = |point_of_view| BrandVoice { point_of_view, ..voice() };
    assert_fails("point_of_view", &as_person(PointOfView::SecondPerson), &GOOD.replace("the soil", "my soil"));
    assert_fails("point_of_view", &as_person(PointOfView::ThirdPerson), GOOD);
    assert_fails("point_of_view", &as_person(PointOfView::FirstPersonPlural), GOOD);
    assert_fails("point_of_view", &as_person(PointOfView::FirstPersonSingular), GOOD);
}

#[test]
fn the_call_to_action_stands_in_the_last_fifth_with_its_link() {
    let mut voice = voice();
    voice.cta = Some(CallToAction { text: "Book a visit now".to_owned(), url: None });
    assert!(report(&voice, GOOD, |_| {}).passed);
    let early = format!("Book a visit now\n\n{}", GOOD.replace("Book a visit now", ""));
    assert_fails("cta_present", &voice, &early);
    voice.cta = Some(CallToAction { text: "Book a visit now".to_owned(), url: Some("https://a.example/".to_owned()) });
    assert_fails("cta_present", &voice, GOOD);
    assert!(report(&voice, &GOOD.replace("Book a visit now", "[Book a visit now](https://a.example/)"), |_| {}).passed);
}

#[test]
fn style_is_checked() {
    assert_fails(
        "contractions",
        &BrandVoice { contractions: Contractions::Avoid, ..voice() },
        &GOOD.replace("You look", "Don't look"),
    );
    assert_fails("emoji", &voice(), &GOOD.replace("soil", "soil 🌱"));
    assert_fails("exclamations", &voice(), &GOOD.replace("first.", "first!"));
}

#[test]
fn the_shape_is_checked() {
    assert_fails("faq_count", &BrandVoice { faq_count: 2, ..voice() }, GOOD);
    assert_fails("structure", &voice(), &GOOD.replace("## Two", "# Two"));
    assert_fails("structure", &voice(), &GOOD.replace("## Two", "#### Two"));
    assert_fails("structure", &voice(), &GOOD.replace("## Two", "## 2"));
    assert!(report(&voice(), GOOD, |input| input.keywords = KEYWORDS.as_slice()).fails("keyword_use"));
    assert!(report(&voice(), GOOD, |input| input.topic = "Steam engines").fails("keyword_use"));
    assert!(report(&voice(), GOOD, |input| input.word_count = 25).fails("word_count"));
    assert!(report(&voice(), GOOD, |input| input.ordered_language = "de").fails("language"));
    assert!(report(&voice(), GOOD, |input| input.faq = &[]).fails("faq_count"));
}
