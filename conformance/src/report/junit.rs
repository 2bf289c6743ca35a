//! `junit.xml`: one test case for each requirement, grouped by area.
//!
//! All exchanges and hooks of a case are in `report.json`; here stands the one that shows the fault.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::model::{FailureReport, Report, RequirementReport, Status};
use super::transcript;
use super::visible::visible;
use crate::check::excerpt;

/// Characters of a message, which CI systems show on one line; the text below it has everything.
const MESSAGE: usize = 1_000;

/// The report as JUnit XML.
pub(super) fn render(report: &Report) -> Result<String, quick_junit::SerializeError> {
    let mut areas: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for requirement in &report.requirements {
        let area = requirement.id.split('.').next().unwrap_or_default();
        areas.entry(area).or_insert_with(|| TestSuite::new(area)).add_test_case(case(requirement));
    }
    let mut junit = Junit::new("contentgen-conformance");
    junit.set_time(Duration::from_millis(report.duration_ms));
    junit.add_test_suites(areas.into_values());
    junit.to_string()
}

fn case(requirement: &RequirementReport) -> TestCase {
    let reason = requirement.reason.clone().unwrap_or_default();
    let status = match requirement.status {
        Status::Passed | Status::Warned | Status::Flaky => TestCaseStatus::success(),
        Status::Failed => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(reason);
            if let Some(failure) = &requirement.failure {
                status.set_message(message(failure));
                status.set_description(description(requirement, failure));
            }
            status
        }
        Status::Error => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(reason);
            status
        }
        Status::Known | Status::Skipped | Status::Inconclusive => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason);
            status
        }
    };
    let mut case = TestCase::new(requirement.id.clone(), status);
    case.set_classname("contentgen-conformance");
    case.set_time(Duration::from_millis(requirement.duration_ms));
    if let (Status::Warned | Status::Flaky, Some(failure)) = (requirement.status, &requirement.failure) {
        let why = requirement.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        case.set_system_out(format!("warning: {}{why}\n\n{}", message(failure), description(requirement, failure)));
    }
    case
}

fn message(failure: &FailureReport) -> String {
    excerpt(&format!("expected {}, observed {}", failure.expected, failure.observed), MESSAGE)
}

/// Everything that is needed to understand a failure without another file.
fn description(requirement: &RequirementReport, failure: &FailureReport) -> String {
    let mut parts = vec![
        format!("{} ({})", requirement.clause, requirement.source),
        format!("expected: {}\nobserved: {}", failure.expected, failure.observed),
    ];
    if !failure.case.is_null() {
        parts.push(format!("case {}: {}", failure.case_index, failure.case));
    }
    if let Some(exchange) = failure.decisive() {
        parts.push(format!("exchange {}:", transcript::place(failure, exchange)));
        parts.extend([transcript::request(exchange), transcript::answer(exchange), exchange.curl.clone()]);
    }
    parts.extend(failure.hooks.last().map(|hook| {
        format!(
            "the last of {} hooks, {}:\n{}",
            failure.hook_count,
            transcript::hook_line(hook),
            transcript::hook(hook)
        )
    }));
    parts.push(failure.repeat.clone());
    visible(&parts.join("\n\n")).into_owned()
}
