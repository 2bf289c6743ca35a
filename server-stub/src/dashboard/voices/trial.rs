//! Live check of a sample text with the profile in the form.

use askama::Template;

use super::super::{FieldErrors, Form, Result, Visit};
use super::labels;
use super::profile_form;
use crate::app::{AdminError, VoiceTrial};
use crate::domain::voice::{Mark, VoiceCheck};

/// Maximum number of marked places that are shown.
const MAX_SHOWN_MARKS: usize = 300;

/// Sample text and its language, as submitted.
pub(super) struct Sample {
    pub(super) text: String,
    pub(super) language: String,
}

impl Sample {
    pub(super) fn read(form: &Form) -> Self {
        let text = form.raw("trial_text").replace("\r\n", "\n");
        Self { text, language: form.text("trial_language").to_owned() }
    }
}

/// Content beside the editor.
pub(super) enum Shown {
    /// No text was entered.
    Nothing,
    /// The profile or the text cannot be checked.
    Problems(FieldErrors),
    /// Findings of the rules.
    Outcome(Outcome),
}

pub(super) struct Outcome {
    pub(super) pieces: Vec<Piece>,
    pub(super) checks: Vec<Check>,
    pub(super) failures: usize,
    /// True if there are more marks than are shown.
    pub(super) is_cut: bool,
}

/// Piece of the text, with the rules that it breaks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) rules: String,
}

pub(super) struct Check {
    pub(super) rule: String,
    pub(super) passed: bool,
    pub(super) expected: String,
    /// Measured value; `None` if the rule measures nothing here.
    pub(super) observed: Option<String>,
}

#[derive(Template)]
#[template(path = "dashboard/voices/trial.html")]
struct Fragment {
    trial: Shown,
}

/// Returns only the outcome, as an HTML fragment for the script.
pub(in crate::dashboard) async fn submit(visit: Visit, form: Form) -> Result {
    let trial = run(&visit, &form, &Sample::read(&form)).await?;
    Ok(visit.page(&Fragment { trial }))
}

/// Checks the sample with the submitted profile.
pub(super) async fn run(visit: &Visit, typed: &Form, sample: &Sample) -> Result<Shown> {
    if sample.text.trim().is_empty() {
        return Ok(Shown::Nothing);
    }
    let profile = match profile_form::profile(typed) {
        Ok(profile) => profile,
        Err(errors) => return Ok(Shown::Problems(errors)),
    };
    match visit.app().try_voice(profile, &sample.language, &sample.text).await {
        Ok(trial) => Ok(Shown::Outcome(outcome(&sample.text, trial))),
        Err(AdminError::VoiceInvalid(violations)) => Ok(Shown::Problems(profile_form::errors(typed, &violations))),
        Err(error) => Ok(Shown::Problems(FieldErrors::of_change(error, "trial_text")?)),
    }
}

fn outcome(text: &str, trial: VoiceTrial) -> Outcome {
    let is_cut = trial.marks.len() > MAX_SHOWN_MARKS;
    let marks = &trial.marks[..trial.marks.len().min(MAX_SHOWN_MARKS)];
    let checks: Vec<Check> = trial.checks.into_iter().map(check).collect();
    Outcome {
        pieces: pieces(text, marks),
        failures: checks.iter().filter(|check| !check.passed).count(),
        checks,
        is_cut,
    }
}

fn check(check: VoiceCheck) -> Check {
    Check {
        rule: labels::rule(&check.rule).to_owned(),
        passed: check.passed,
        expected: check.expected.unwrap_or_default(),
        observed: check.observed,
    }
}

/// Splits the text at the beginning and end of every mark.
fn pieces(text: &str, marks: &[Mark]) -> Vec<Piece> {
    let mut cuts: Vec<usize> = marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]).collect();
    cuts.push(text.len());
    cuts.sort_unstable();
    cuts.dedup();
    let (mut pieces, mut at): (Vec<Piece>, _) = (Vec::new(), 0);
    for cut in cuts.into_iter().filter(|cut| *cut > 0) {
        let here = marks.iter().filter(|mark| mark.range.start < cut && at < mark.range.end);
        let mut rules: Vec<&str> = here.map(|mark| labels::rule(mark.rule)).collect();
        rules.sort_unstable();
        rules.dedup();
        let (rules, part) = (rules.join(", "), &text[at..cut]);
        match pieces.last_mut() {
            Some(last) if last.rules == rules => last.text.push_str(part),
            _ => pieces.push(Piece { text: part.to_owned(), rules }),
        }
        at = cut;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_marks_share_a_piece_and_adjacent_marks_of_one_rule_are_merged() {
        let mark = |range, rule| Mark { range, rule };
        let marks = [
            mark(0..9, "sentence_length"),
            mark(2..4, "banned_terms"),
            mark(10..11, "exclamations"),
            mark(11..12, "exclamations"),
        ];
        let piece = |text: &str, rules: &str| Piece { text: text.to_owned(), rules: rules.to_owned() };
        assert_eq!(
            pieces("a bc deé !! x", &marks),
            [
                piece("a ", "Longest sentence"),
                piece("bc", "Longest sentence, Words to avoid"),
                piece(" deé", "Longest sentence"),
                piece(" ", ""),
                piece("!!", "Exclamation marks"),
                piece(" x", ""),
            ]
        );
        assert_eq!(pieces("", &[]), []);
    }
}
