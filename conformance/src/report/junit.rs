//! `junit.xml`: one test case for each requirement, grouped by area.
//!
//! Details beyond a message are in `report.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::model::{Report, RequirementReport, Status};

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
        Status::Passed | Status::Warned => TestCaseStatus::success(),
        Status::Failed => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(reason);
            if let Some(failure) = &requirement.failure {
                status.set_message(format!("expected {}, observed {}", failure.expected, failure.observed));
                status.set_description(format!("{}\n\n{}\n\n{}", requirement.clause, failure.case, failure.repeat));
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
    if requirement.status == Status::Warned
        && let Some(failure) = &requirement.failure
    {
        case.set_system_out(format!("warning: expected {}, observed {}", failure.expected, failure.observed));
    }
    case
}
