//! The choices of a target as reports contain them, and how those of two reports differ.
//!
//! `crate::choices` records them, `diff_text` shows the differences.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Status;
use super::recorded::{RecordedReport, RecordedRequirement};
use crate::choices::ABSENT;
use crate::runner::Run;

/// A choice that the document leaves, with the values of the target's responses.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ChoiceReport {
    /// The `operationId`.
    pub operation: String,
    /// Status of the responses.
    pub status: u16,
    /// The subject, such as ``field `/items/*/slug` ``.
    pub subject: String,
    /// The values that occurred, at most 100: `absent`, `present`, or those of a vocabulary.
    pub values: BTreeSet<String>,
    /// False for a field, a header or a value of the target's own.
    pub is_documented: bool,
    /// The text that leaves the choice.
    pub allowed_by: String,
}

/// A difference that the document allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChoiceDifference {
    /// The subject, such as ``getJob 200: field `/progress` ``.
    pub subject: String,
    /// Values in the old report only.
    pub old: Vec<String>,
    /// Values in the new report only.
    pub new: Vec<String>,
    /// The text that allows it.
    pub allowed_by: String,
    /// For responses: the requirements in whose cases they differ, which pass in both reports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
}

impl ChoiceReport {
    /// Returns the choices of a run; secrets are masked.
    pub(super) fn of(run: &Run) -> Vec<Self> {
        let secrets = &run.facts.secrets;
        let choices = run.choices.iter().map(|(choice, values)| Self {
            operation: choice.operation.to_owned(),
            status: choice.status,
            subject: secrets.mask(&choice.subject),
            values: values.iter().map(|value| secrets.mask(value)).collect(),
            is_documented: choice.is_documented,
            allowed_by: choice.allowed_by.clone(),
        });
        choices.collect()
    }
}

/// Returns the differences that the document allows, those of responses first.
pub(super) fn differences(old: &RecordedReport, new: &RecordedReport) -> Vec<ChoiceDifference> {
    let mut differences = of_responses(old, new);
    differences.extend(of_fields(old, new));
    differences
}

/// Values of only the old report, and values of only the new one.
type Sides = (Vec<String>, Vec<String>);

/// Returns the differences of two sets.
fn only_in_each<'all>(
    old: impl IntoIterator<Item = &'all String>,
    new: impl IntoIterator<Item = &'all String>,
) -> Sides {
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (old.into_iter().collect(), new.into_iter().collect());
    let only =
        |one: &BTreeSet<&String>, other: &BTreeSet<&String>| one.difference(other).map(ToString::to_string).collect();
    (only(&old, &new), only(&new, &old))
}

/// Returns the responses that only one of the reports has to the cases of a requirement that passes in both.
fn of_responses(old: &RecordedReport, new: &RecordedReport) -> Vec<ChoiceDifference> {
    let passed = |row: &&RecordedRequirement| row.status == Status::Passed;
    let earlier: BTreeMap<&str, &RecordedRequirement> =
        old.requirements.iter().filter(passed).map(|row| (row.id.as_str(), row)).collect();
    let mut groups: BTreeMap<(&str, Sides), Vec<String>> = BTreeMap::new();
    for row in new.requirements.iter().filter(passed) {
        let Some(before) = earlier.get(row.id.as_str()) else { continue };
        for (operation, responses) in &row.responses {
            let Some(responses_before) = before.responses.get(operation) else { continue };
            let only = only_in_each(responses_before.keys(), responses.keys());
            if only != (Vec::new(), Vec::new()) {
                groups.entry((operation, only)).or_default().push(row.id.clone());
            }
        }
    }
    let (all_before, all_now) = (all_responses(old), all_responses(new));
    let differences = groups.into_iter().map(|((operation, (old, new)), requirements)| {
        let has_all = |all: &Responses<'_>, responses: &[String]| {
            all.get(operation).is_some_and(|all| responses.iter().all(|response| all.contains(response.as_str())))
        };
        let both_give = has_all(&all_before, &new) && has_all(&all_now, &old);
        let also = if both_give { ", and both servers give them in some case" } else { "" };
        ChoiceDifference {
            subject: format!("responses of {operation}"),
            old,
            new,
            allowed_by: format!("openapi.yaml documents these responses of {operation}{also}"),
            requirements,
        }
    });
    differences.collect()
}

/// Responses by operation.
type Responses<'report> = BTreeMap<&'report str, BTreeSet<&'report str>>;

/// Returns all responses of a report.
fn all_responses(report: &RecordedReport) -> Responses<'_> {
    let mut all = Responses::new();
    for (operation, responses) in report.requirements.iter().flat_map(|row| &row.responses) {
        all.entry(operation).or_default().extend(responses.keys().map(String::as_str));
    }
    all
}

/// Returns the choices about fields, headers and values that differ. An operation and a status that only one of the reports has are
/// differences of its responses.
fn of_fields(old: &RecordedReport, new: &RecordedReport) -> Vec<ChoiceDifference> {
    let (before, now) = (Values::of(old), Values::of(new));
    let subjects: BTreeMap<Subject<'_>, &ChoiceReport> =
        old.choices.iter().chain(&new.choices).map(|choice| (subject(choice), choice)).collect();
    let differences = subjects.into_values().filter_map(|choice| {
        let (old, new) = only_in_each(before.seen(choice)?, now.seen(choice)?);
        let is_same = old.is_empty() && new.is_empty();
        (!is_same).then(|| ChoiceDifference {
            subject: format!("{} {}: {}", choice.operation, choice.status, choice.subject),
            old,
            new,
            allowed_by: choice.allowed_by.clone(),
            requirements: Vec::new(),
        })
    });
    differences.collect()
}

type Subject<'report> = (&'report str, u16, &'report str);

fn subject(choice: &ChoiceReport) -> Subject<'_> {
    (&choice.operation, choice.status, &choice.subject)
}

/// The values of a report's choices by subject, and the responses about which it has choices.
struct Values<'report> {
    by_subject: BTreeMap<Subject<'report>, &'report BTreeSet<String>>,
    responses: BTreeSet<(&'report str, u16)>,
    absent: BTreeSet<String>,
}

impl<'report> Values<'report> {
    fn of(report: &'report RecordedReport) -> Self {
        Self {
            by_subject: report.choices.iter().map(|choice| (subject(choice), &choice.values)).collect(),
            responses: report.choices.iter().map(|choice| (choice.operation.as_str(), choice.status)).collect(),
            absent: BTreeSet::from([ABSENT.to_owned()]),
        }
    }

    /// Returns the values of a choice. An undocumented field, header or value is absent unless it was seen. Returns `None` if no response
    /// had the choice.
    fn seen(&self, choice: &ChoiceReport) -> Option<&BTreeSet<String>> {
        let is_answered = self.responses.contains(&(choice.operation.as_str(), choice.status));
        let absent = (is_answered && !choice.is_documented).then_some(&self.absent);
        self.by_subject.get(&subject(choice)).copied().or(absent)
    }
}
