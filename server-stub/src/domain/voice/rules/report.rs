//! Runs all rules on one text, in the contract's order, and reports the results. One file per family contains the rules.

use serde::{Deserialize, Serialize};

use super::super::manuscript::{CheckInput, Manuscript};
use super::super::profile::BrandVoice;
use super::{shape, viewpoint, wording};

/// Measures every rule of the contract (section 4.2) on one text.
pub fn check(voice: &BrandVoice, input: CheckInput<'_>) -> VoiceReport {
    let manuscript = Manuscript::new(input);
    let mut checks = checks_of_wording(voice, &manuscript);
    checks.extend([
        shape::faq_count(voice, &manuscript),
        shape::word_count(&manuscript),
        shape::structure(&manuscript),
        shape::keyword_use(&manuscript),
        shape::language(&manuscript),
    ]);
    VoiceReport {
        brand_voice_id: Some(voice.id.clone()).filter(|id| !id.is_empty()),
        brand_voice_version: (!voice.id.is_empty()).then_some(voice.version),
        passed: checks.iter().all(|check| check.passed),
        checks,
    }
}

/// Measures the rules for any text, even a single paragraph. It omits the rules about the shape of an article and about the
/// request.
pub fn check_wording(voice: &BrandVoice, language: &str, markdown: &str) -> Vec<VoiceCheck> {
    checks_of_wording(voice, &Manuscript::new(CheckInput::of_wording(language, markdown)))
}

fn checks_of_wording(voice: &BrandVoice, manuscript: &Manuscript<'_>) -> Vec<VoiceCheck> {
    vec![
        wording::banned_terms(voice, manuscript),
        wording::replacements(voice, manuscript),
        wording::required_terms(voice, manuscript),
        wording::reading_grade(voice, manuscript),
        wording::sentence_length(voice, manuscript),
        viewpoint::point_of_view(voice, manuscript),
        wording::cta_present(voice, manuscript),
        wording::contractions(voice, manuscript),
        wording::emoji_rule(voice, manuscript),
        wording::exclamations(voice, manuscript),
    ]
}

/// Results of all rules for one text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct VoiceReport {
    /// Id of the applied profile; absent for the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_id: Option<String>,
    /// The version of that profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_version: Option<u32>,
    /// True if every check passed.
    pub passed: bool,
    /// One entry per rule.
    pub checks: Vec<VoiceCheck>,
}

impl VoiceReport {
    /// Returns the failed checks.
    pub fn failures(&self) -> impl Iterator<Item = &VoiceCheck> {
        self.checks.iter().filter(|check| !check.passed)
    }

    /// Returns true if the text violates the rule.
    pub fn fails(&self, rule: &str) -> bool {
        self.failures().any(|check| check.rule == rule)
    }
}

/// Result of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoiceCheck {
    /// Id of the rule, such as `banned_terms`.
    pub rule: String,
    /// True if the text follows the rule.
    pub passed: bool,
    /// Requirement of the profile or the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Measured value of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
}

impl VoiceCheck {
    /// Creates a check with a measured result.
    pub(super) fn measured(rule: &str, passed: bool, expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self { rule: rule.to_owned(), passed, expected: Some(expected.into()), observed: Some(observed.into()) }
    }

    /// Creates a passed check without anything to measure.
    pub(super) fn not_measured(rule: &str) -> Self {
        Self { rule: rule.to_owned(), passed: true, expected: None, observed: None }
    }
}

/// Tests each rule with a text that follows it and one that violates it.
#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::domain::voice::{CallToAction, Contractions, PointOfView, PreferredTerm, ReadingGrade, Replacement};
    use crate::domain::written_article::{FaqEntry, OutlineEntry};

    static KEYWORDS: LazyLock<Vec<String>> = LazyLock::new(|| vec!["rose-beds".to_owned()]);
    const GOOD: &str = "A garden plan helps you.\n\n## One\n\nYou look at the soil first.\n\n## Two\n\nYou choose plants for it.\n\n## Three\n\n\
        You water them in the morning. Book a visit now\n";

    fn outline() -> Vec<OutlineEntry> {
        let entry = |text: &str| OutlineEntry { level: 2, text: text.to_owned(), anchor: text.to_lowercase() };
        vec![entry("One"), entry("Two"), entry("Three")]
    }

    fn report(voice: &BrandVoice, markdown: &str, change: impl FnOnce(&mut CheckInput<'_>)) -> VoiceReport {
        let (outline, faq) =
            (outline(), [FaqEntry { question: "Why?".to_owned(), answer: "It helps you.".to_owned() }]);
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
        voice.cta =
            Some(CallToAction { text: "Book a visit now".to_owned(), url: Some("https://a.example/".to_owned()) });
        assert_fails("cta_present", &voice, GOOD);
        assert!(
            report(&voice, &GOOD.replace("Book a visit now", "[Book a visit now](https://a.example/)"), |_| {}).passed
        );
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
}
