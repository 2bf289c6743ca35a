//! `junit.xml` shows the kind of each result and the settings of the run.

use contentgen_conformance::report::{self, About, Report, Status};
use contentgen_conformance::runner::{Selection, Settings};

use crate::support::answer;
use crate::support::documented::{documented, run};

/// Returns the file of a run in which one requirement broke, with `status` as the status of the run.
async fn junit(status: Status) -> (Report, String) {
    let broken = |seen: &crate::support::Seen| {
        let is_order = seen.path == "/api/v1/generate" && seen.body.len() > 2;
        is_order.then(|| answer(500, &[("content-type", "application/json")], b"{}"))
    };
    let selection = Selection { only: vec!["generate.documented.any-text".to_owned()], skip: Vec::new() };
    let run = run(&documented(&[], broken), Settings { selection, cases: 4, ..Settings::default() }, &|_| {}).await;
    let mut report = Report::new(&run, About::default());
    report.requirements[0].status = status;
    report.requirements[0].reason = Some("a reason".to_owned());
    let folder = tempfile::tempdir().unwrap();
    report::write(&run, &report, folder.path(), report::Archives::Failed).unwrap();
    let text = std::fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    (report, text)
}

#[tokio::test(start_paused = true)]
async fn every_status_is_a_property_and_looks_as_readers_of_its_kind_expect() {
    for (status, name, shows) in [
        (Status::Passed, "passed", "</properties>\n        </testcase>"),
        (Status::Failed, "failed", "<failure message=\"expected "),
        (Status::Error, "error", "<error message=\"a reason\""),
        (Status::Warned, "warned", "<system-out>warning: expected "),
        (Status::Flaky, "flaky", "<flakyFailure message=\"expected "),
        (Status::Known, "known", "<skipped message=\"known failure: a reason\" type=\"known\""),
        (Status::Skipped, "skipped", "<skipped message=\"a reason\" type=\"skipped\""),
        (Status::Inconclusive, "inconclusive", "<skipped message=\"not decided: a reason\" type=\"inconclusive\""),
    ] {
        let (report, text) = junit(status).await;
        assert!(report.requirements[0].failure.is_some(), "seed 8");
        assert!(text.contains(&format!("<property name=\"status\" value=\"{name}\"/>")), "{text}");
        assert!(text.contains(shows), "{shows} is in {text}");
        let failures = u8::from(status == Status::Failed);
        let skipped = u8::from(matches!(status, Status::Known | Status::Skipped | Status::Inconclusive));
        assert!(text.contains(&format!("failures=\"{failures}\"")), "{text}");
        assert_eq!(text.matches("<skipped").count(), usize::from(skipped), "{text}");
        assert_eq!(text.matches("<failure").count(), usize::from(failures), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_area_says_what_was_run() {
    let (report, text) = junit(Status::Failed).await;
    for (name, value) in [
        ("seed", "8".to_owned()),
        ("profile", "core".to_owned()),
        ("document_version", report.document_version),
        ("document_sha256", report.document_sha256),
        ("suite_version", report.suite_version),
        ("base_url", format!("{}/", report.target.base_url.trim_end_matches('/'))),
    ] {
        assert!(text.contains(&format!("<property name=\"{name}\" value=\"{value}\"/>")), "{name}: {text}");
    }
}
