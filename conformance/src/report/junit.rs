//! `junit.xml`: one test case for each requirement, grouped by area.
//!
//! The format has passed, failed, error and skipped. Other statuses are in the property `status` of a test case, in the
//! type of `skipped`, in `flakyFailure` and at the beginning of a message, because each reader shows another of these.
//! This file contains the exchange that shows the fault; `report.json` contains all exchanges and webhooks of a case.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::model::{FailureReport, Report, RequirementReport, Status};
use super::transcript;
use super::visible::{visible, without_credentials};
use crate::check::excerpt;

/// Maximum number of characters of a message, which CI systems show on one line. The text below it is complete.
const MESSAGE: usize = 1_000;

/// Returns the report as JUnit XML.
pub(super) fn render(report: &Report) -> Result<String, quick_junit::SerializeError> {
    let mut areas: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for requirement in &report.requirements {
        let area = requirement.id.split('.').next().unwrap_or_default();
        areas.entry(area).or_insert_with(|| suite(report, area)).add_test_case(case(requirement));
    }
    let mut junit = Junit::new("contentgen-conformance");
    junit.set_time(Duration::from_millis(report.duration_ms));
    junit.add_test_suites(areas.into_values());
    junit.to_string()
}

/// Returns an empty suite that describes the run. Readers show the properties of suites, and no level above them has any.
fn suite(report: &Report, area: &str) -> TestSuite {
    let mut suite = TestSuite::new(area);
    let properties = [
        ("seed", report.seed.to_string()),
        ("profile", report.profile.to_string()),
        ("document_version", report.document_version.clone()),
        ("document_sha256", report.document_sha256.clone()),
        ("suite_version", report.suite_version.clone()),
        ("base_url", without_credentials(&report.target.base_url)),
    ];
    suite.add_properties(properties.map(|(name, value)| Property::new(name, value)));
    suite
}

fn case(requirement: &RequirementReport) -> TestCase {
    let reason = requirement.reason.clone().unwrap_or_default();
    let status = match requirement.status {
        Status::Passed | Status::Warned => TestCaseStatus::success(),
        Status::Flaky => flaky(requirement),
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
        Status::Known => skipped(requirement.status, format!("known failure: {reason}")),
        Status::Skipped => skipped(requirement.status, reason),
        Status::Inconclusive => skipped(requirement.status, format!("not decided: {reason}")),
    };
    let mut case = TestCase::new(requirement.id.clone(), status);
    case.set_classname("contentgen-conformance");
    case.set_time(Duration::from_millis(requirement.duration_ms));
    case.add_property(("status", requirement.status.name()));
    if let (Status::Warned | Status::Flaky, Some(failure)) = (requirement.status, &requirement.failure) {
        let why = requirement.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let kind = if requirement.status == Status::Flaky { "flaky" } else { "warning" };
        case.set_system_out(format!("{kind}: {}{why}\n\n{}", message(failure), description(requirement, failure)));
    }
    case
}

/// Returns a status for a requirement that did not run or does not count, with its one-word reason.
fn skipped(status: Status, message: String) -> TestCaseStatus {
    let mut skipped = TestCaseStatus::skipped();
    skipped.set_type(status.name());
    skipped.set_message(message);
    skipped
}

/// Returns a passed status with the failed attempt, in the form of Surefire.
fn flaky(requirement: &RequirementReport) -> TestCaseStatus {
    let mut status = TestCaseStatus::success();
    if let Some(failure) = &requirement.failure {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_type(Status::Flaky.name());
        rerun.set_message(message(failure));
        rerun.set_description(description(requirement, failure));
        status.add_rerun(rerun);
    }
    status
}

fn message(failure: &FailureReport) -> String {
    excerpt(&format!("expected {}, observed {}", failure.expected, failure.observed), MESSAGE)
}

/// Returns a complete description of a failure.
fn description(requirement: &RequirementReport, failure: &FailureReport) -> String {
    let mut parts = vec![
        format!("{} ({})", requirement.clause, requirement.sources.join("; ")),
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
            "the last of {} webhooks, {}:\n{}",
            failure.hook_count,
            transcript::hook_line(hook),
            transcript::hook(hook)
        )
    }));
    parts.push(failure.repeat.clone());
    visible(&parts.join("\n\n")).into_owned()
}
