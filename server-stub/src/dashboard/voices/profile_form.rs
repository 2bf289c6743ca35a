//! Converts between a profile and its form, and assigns errors to form fields.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::{FieldErrors, Form};
use super::labels::{self, LABELS};
use crate::domain::voice::{
    BrandVoice, CallToAction, PreferredTerm, ProfileViolation, ReadingGrade, Replacement, ToneDimensions, Vocabulary,
};

/// Maximum number of unreadable lines that are reported.
const MAX_UNREADABLE_LINES: usize = 20;
/// Fields of samples.
const SAMPLES: [&str; 5] = ["sample_1", "sample_2", "sample_3", "sample_4", "sample_5"];

/// Returns the form of a profile.
pub(super) fn form_of(voice: &BrandVoice) -> Form {
    Form::of(LABELS.iter().map(|label| (label.field, shown(voice, label.field))))
}

/// Returns true if a sample was entered.
pub(super) fn has_samples(form: &Form) -> bool {
    SAMPLES.iter().any(|field| !form.text(field).is_empty())
}

/// Returns a text, with line ends as `\n`.
fn text(form: &Form, field: &str) -> String {
    form.text(field).replace("\r\n", "\n")
}

/// Returns the lines of a list that are not blank, with their numbers.
fn lines<'f>(form: &'f Form, field: &str) -> Vec<(usize, &'f str)> {
    let lines = form.raw(field).lines().zip(1..).map(|(line, number)| (number, line.trim()));
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// Returns the submitted profile without id, version and default flag, or the errors in its fields.
pub(super) fn profile(form: &Form) -> Result<BrandVoice, FieldErrors> {
    let mut reader = Reader { form, errors: FieldErrors::default() };
    let profile = BrandVoice {
        name: text(form, "name"),
        audience: text(form, "audience"),
        tone: form.lines("tone"),
        tone_dimensions: ToneDimensions {
            humour: reader.small("humour"),
            formality: reader.small("manner"),
            respect: reader.small("respect"),
            enthusiasm: reader.small("enthusiasm"),
        },
        dos: form.lines("dos"),
        donts: form.lines("donts"),
        point_of_view: reader.named("point_of_view"),
        vocabulary: Vocabulary { avoid: form.lines("avoid"), replace: reader.replacements(), prefer: preferred(form) },
        reading_grade: ReadingGrade { min: reader.small("grade_min"), max: reader.small("grade_max") },
        max_sentence_words: reader.number("max_sentence_words"),
        contractions: reader.named("contractions"),
        emoji: reader.named("emoji"),
        max_exclamations: reader.number("max_exclamations"),
        cta: call_to_action(form),
        faq_count: reader.number("faq_count"),
        spelling: reader.named("spelling"),
        boilerplate: Some(text(form, "boilerplate")).filter(|text| !text.is_empty()),
        samples: SAMPLES.iter().map(|field| text(form, field)).filter(|text| !text.is_empty()).collect(),
        ..BrandVoice::default()
    };
    if reader.errors.is_empty() { Ok(profile) } else { Err(reader.errors) }
}

/// Returns the preferred terms, required terms first.
fn preferred(form: &Form) -> Vec<PreferredTerm> {
    let terms = |field, required| {
        form.lines(field).into_iter().map(move |term| PreferredTerm { term, required }).collect::<Vec<_>>()
    };
    [terms("required", true), terms("prefer", false)].concat()
}

fn call_to_action(form: &Form) -> Option<CallToAction> {
    let (text, url) = (form.text("cta_text").to_owned(), form.filled("cta_url"));
    (!text.is_empty() || url.is_some()).then_some(CallToAction { text, url })
}

/// Assigns the violations to their fields, with line numbers for lists.
pub(super) fn errors(form: &Form, violations: &[ProfileViolation]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for violation in violations {
        let (field, line) = place(form, &violation.field);
        let line = line.map(|line| format!(", line {line}:")).unwrap_or_default();
        let label = labels::of_field(field);
        errors.add(field, &format!("{label}{line} {}", labels::in_words(&violation.message)));
    }
    errors
}

/// Returns the form field of a path such as `vocabulary.avoid[3]`, and the line of its entry.
fn place(form: &Form, path: &str) -> (&'static str, Option<usize>) {
    let (member, entry) = path.split_once('[').unwrap_or((path, ""));
    let entry: Option<usize> = entry.split(']').next().and_then(|entry| entry.parse().ok());
    let (field, entry) = match (member, entry) {
        ("reading_grade", _) => ("grade_min", None),
        ("samples", entry) => {
            let mut filled = SAMPLES.iter().filter(|field| !form.text(field).is_empty());
            (entry.and_then(|entry| filled.nth(entry)).copied().unwrap_or(SAMPLES[0]), None)
        }
        ("vocabulary.prefer", entry) => {
            let required = form.lines("required").len();
            match entry {
                Some(entry) if entry >= required => ("prefer", Some(entry - required)),
                entry => ("required", entry),
            }
        }
        (member, entry) => {
            let label = LABELS.iter().find(|label| label.path == member);
            (label.map_or("name", |label| label.field), entry)
        }
    };
    let line = entry.and_then(|entry| lines(form, field).get(entry).map(|(number, _)| *number));
    (field, line)
}

/// Parses fields and collects their errors.
struct Reader<'f> {
    form: &'f Form,
    errors: FieldErrors,
}

impl Reader<'_> {
    fn number(&mut self, field: &str) -> u32 {
        self.form.text(field).parse().unwrap_or_else(|_| {
            self.errors.add(field, &format!("{} must be a whole number, such as 3", labels::of_field(field)));
            0
        })
    }

    /// Parses a number on a scale. A number above 255 becomes 255, which is invalid on every scale.
    fn small(&mut self, field: &str) -> u8 {
        u8::try_from(self.number(field)).unwrap_or(u8::MAX)
    }

    fn named<T: DeserializeOwned + Default>(&mut self, field: &str) -> T {
        serde_json::from_value(self.form.text(field).into()).unwrap_or_else(|_| {
            self.errors.add(field, &format!("{} must be one of the choices", labels::of_field(field)));
            T::default()
        })
    }

    fn replacements(&mut self) -> Vec<Replacement> {
        let mut pairs = Vec::new();
        let mut unreadable = 0;
        for (number, line) in lines(self.form, "replace") {
            let pair = ["→", "->", "=>"].iter().find_map(|arrow| line.split_once(arrow));
            match pair.map(|(from, to)| (from.trim(), to.trim())) {
                Some((from, to)) if !from.is_empty() && !to.is_empty() => {
                    pairs.push(Replacement { from: from.to_owned(), to: to.to_owned() });
                }
                _ if unreadable == MAX_UNREADABLE_LINES => break,
                _ => {
                    unreadable += 1;
                    let label = labels::of_field("replace");
                    self.errors.add("replace", &format!("{label}, line {number}: write it as old → new"));
                }
            }
        }
        pairs
    }
}

/// Returns the text of a form field for a profile.
fn shown(voice: &BrandVoice, field: &str) -> String {
    let tone = voice.tone_dimensions;
    let terms = |required: bool| {
        let terms = voice.vocabulary.prefer.iter().filter(|wish| wish.required == required);
        terms.map(|wish| wish.term.as_str()).collect::<Vec<_>>().join("\n")
    };
    match field {
        "name" => voice.name.clone(),
        "audience" => voice.audience.clone(),
        "tone" => voice.tone.join("\n"),
        "humour" => tone.humour.to_string(),
        "manner" => tone.formality.to_string(),
        "respect" => tone.respect.to_string(),
        "enthusiasm" => tone.enthusiasm.to_string(),
        "point_of_view" => name(&voice.point_of_view),
        "spelling" => name(&voice.spelling),
        "grade_min" => voice.reading_grade.min.to_string(),
        "grade_max" => voice.reading_grade.max.to_string(),
        "max_sentence_words" => voice.max_sentence_words.to_string(),
        "max_exclamations" => voice.max_exclamations.to_string(),
        "contractions" => name(&voice.contractions),
        "emoji" => name(&voice.emoji),
        "avoid" => voice.vocabulary.avoid.join("\n"),
        "replace" => {
            let pairs = voice.vocabulary.replace.iter().map(|pair| format!("{} → {}", pair.from, pair.to));
            pairs.collect::<Vec<_>>().join("\n")
        }
        "required" => terms(true),
        "prefer" => terms(false),
        "cta_text" => voice.cta.as_ref().map(|cta| cta.text.clone()).unwrap_or_default(),
        "cta_url" => voice.cta.as_ref().and_then(|cta| cta.url.clone()).unwrap_or_default(),
        "faq_count" => voice.faq_count.to_string(),
        "boilerplate" => voice.boilerplate.clone().unwrap_or_default(),
        "dos" => voice.dos.join("\n"),
        "donts" => voice.donts.join("\n"),
        sample => {
            let at = SAMPLES.iter().position(|field| *field == sample);
            at.and_then(|at| voice.samples.get(at)).cloned().unwrap_or_default()
        }
    }
}

/// Returns the stored name of a choice.
fn name(choice: &impl Serialize) -> String {
    let value = serde_json::to_value(choice).expect("a choice serializes as its name");
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_shown_and_read_back_as_it_was() {
        let voice = BrandVoice {
            audience: "bakers".to_owned(),
            tone: vec!["warm".to_owned(), "plain".to_owned()],
            vocabulary: Vocabulary {
                avoid: vec!["cheap".to_owned()],
                replace: vec![Replacement { from: "earth".to_owned(), to: "soil".to_owned() }],
                prefer: vec![
                    PreferredTerm { term: "must".to_owned(), required: true },
                    PreferredTerm { term: "may".to_owned(), required: false },
                ],
            },
            cta: Some(CallToAction { text: "Come by".to_owned(), url: Some("https://a.example/".to_owned()) }),
            boilerplate: Some("We bake.".to_owned()),
            dos: vec!["Be kind".to_owned()],
            donts: vec!["Shout".to_owned()],
            samples: vec!["One.\n\nTwo.".to_owned(), "Three.".to_owned()],
            ..BrandVoice::default()
        };
        assert_eq!(profile(&form_of(&voice)).unwrap(), voice);
        assert_eq!(profile(&form_of(&BrandVoice::default())).unwrap(), BrandVoice::default());
    }
}
