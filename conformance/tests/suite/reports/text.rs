//! `summary.md`, `badge.svg` and `junit.xml`.

use std::sync::LazyLock;

use crate::support::cli::{COMMANDS, Workplace, assert_no_command, guarded};
use crate::support::{Fake, answer};

const HOSTILE: &str = "<img src=x onerror=alert(1)> ](javascript:alert(1)) `` | **bold** \n# heading \u{202e}";

/// Returns the output of the run against the hostile server.
struct HostileRun {
    summary: String,
    badge: String,
    junit: String,
    report: serde_json::Value,
}

/// Returns one run for all tests of this file, because it takes seconds.
fn hostile_run() -> &'static HostileRun {
    static RUN: LazyLock<HostileRun> = LazyLock::new(HostileRun::new);
    &RUN
}

impl HostileRun {
    fn new() -> Self {
        let fake = Fake::start(|_| {
            let body = serde_json::json!({ "items": [], "detail": HOSTILE, "job_id": HOSTILE });
            answer(200, &[("content-type", "application/json")], body.to_string().as_bytes())
        });
        let place = Workplace::new();
        let only = ["--only", "answers", "--only", "auth", "--only", "generate", "--only", "pages"];
        let base = ["run", "--base-url", &fake.base_url, "--seed", "5", "--cases", "6", "--report-dir", "r"];
        place.run(&[&base[..], &only].concat());
        Self {
            summary: place.read("r/summary.md"),
            badge: place.read("r/badge.svg"),
            junit: place.read("r/junit.xml"),
            report: place.json("r/report.json"),
        }
    }
}

#[test]
fn the_summary_shows_the_verdict_and_what_a_target_answers_is_no_markup_in_it() {
    let HostileRun { summary, report, .. } = hostile_run();
    let failed = &report["summary"]["failed"];
    assert!(summary.contains(&format!("{failed} requirements fail")), "{summary}");
    assert!(summary.contains("What to fix first") && summary.contains("seed `5`"));
    assert!(summary.len() < 256 * 1024, "a CI shows a megabyte at most");
    let mut in_code = false;
    let prose: Vec<&str> = summary
        .lines()
        .filter(|line| {
            let fence = line.starts_with("```");
            in_code ^= fence;
            !in_code && !fence
        })
        .collect();
    assert!(!in_code, "every block of code ends");
    for line in prose {
        assert!(!line.contains("<img") && !line.contains("**bold") && !line.contains("javascript:"), "{line}");
        assert!(!line.starts_with("# ") && !line.contains('\u{202e}'), "{line}");
        if line.starts_with("| ") {
            assert!(matches!(line.matches('|').count(), 5 | 9), "{line}");
        }
    }
}

#[test]
fn a_success_that_the_document_does_not_name_is_told_as_that() {
    let entries = &hostile_run().report["fix_first"];
    let of_generate =
        |entry: &&serde_json::Value| entry["requirements"].to_string().contains("answers.generate.schema");
    let entry = entries.as_array().unwrap().iter().find(of_generate).unwrap().to_string();
    assert!(entry.contains("a success with a status that the document names"), "{entry}");
}

#[test]
fn the_badge_is_one_small_drawing_with_a_name() {
    let badge = &hostile_run().badge;
    assert!(badge.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{badge}");
    assert!(badge.contains("not conformant") && badge.contains("role=\"img\"") && badge.contains("<title>"));
    assert_eq!(badge.matches("://").count(), 1, "nothing is loaded: {badge}");
    assert!(badge.len() < 2048);
}

#[test]
fn junit_has_one_case_for_each_requirement() {
    let HostileRun { junit, report, .. } = hostile_run();
    let rows = report["requirements"].as_array().unwrap().len();
    assert_eq!(junit.matches("<testcase ").count(), rows);
    assert!(!junit.contains("<img"));
}

#[test]
fn junit_tells_what_was_expected_and_seen_with_the_whole_exchange_and_says_what_it_cuts() {
    let body = format!("{{\"padding\": \"{}\"}}", "x".repeat(3_000));
    let fake = Fake::start(move |_| answer(200, &[("content-type", "application/json")], body.as_bytes()));
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused", "--report-dir", "r"]);
    let junit = place.read("r/junit.xml");
    let failure = &place.json("r/report.json")["requirements"][0]["failure"];
    for part in [
        format!("expected: {}", failure["expected"].as_str().unwrap()),
        "x".repeat(3_000),
        "exchange 1 of 1:".to_owned(),
    ] {
        assert!(junit.contains(&part), "{part} is in {junit}");
    }
    let long = "y".repeat(6_000);
    let fake = Fake::start(move |_| answer(200, &[("content-type", "application/json")], long.as_bytes()));
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused", "--report-dir", "s"]);
    for name in ["s/junit.xml", "s/report.html", "s/report.json"] {
        assert!(place.read(name).contains("… (1904 of 6000 bytes are left out)"), "{name}");
    }
}

#[test]
fn who_asks_for_a_part_learns_of_that_part_only() {
    let fake = guarded(404);
    let place = Workplace::new();
    let target = format!("[target]\nbase_url = \"{}\"\nwebsite_id = \"web_1\"\n", fake.base_url);
    place.write("conformance.toml", &target);
    let part = ["--only", "auth.wrong-key.*", "--skip", "*.challenge", "--seed", "3"];
    let ended = place.run(&[&["run", "--config", "conformance.toml", "--report-dir", "r"], &part[..]].concat());
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    let report = place.json("r/report.json");
    assert_eq!(report["conclusion"], "partially-conformant");
    let skipped = &report["summary"]["skipped"];
    assert!(*skipped == 0 && report["summary"]["passed"].as_u64() > Some(0), "{}", report["summary"]);
    let repeat = report["repeat"].as_str().unwrap();
    assert!(repeat.contains("--only 'auth.wrong-key.*' --skip '*.challenge'"), "{repeat}");
    let words = shlex::split(repeat).unwrap();
    let again = place.run(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, 0, "{}", again.errors);
    assert!(place.read("r/badge.svg").contains("partially conformant"));
    for text in [&place.read("r/summary.md"), &ended.output] {
        assert!(
            text.contains("breaks nothing of the") && text.contains("only a part of the requirements was asked for"),
            "{text}"
        );
    }
}

#[test]
fn what_to_fix_first_says_in_a_whole_sentence_what_it_is_about() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let only = ["--only", "auth.wrong-key.refused", "--seed", "3", "--report-dir", "r"];
    let ended = place.run(&[&["run", "--base-url", &fake.base_url], &only[..]].concat());
    let report = place.json("r/report.json");
    assert_eq!(report["fix_first"][0]["clause"], report["requirements"][0]["clause"]);
    let sentence = "Only the key that was shown at its creation works";
    let line = ended.output.lines().find(|line| line.contains("Fix first")).unwrap();
    assert!(line.contains(sentence) && line.contains(". Expected a refusal"), "{line}");
    let summary = place.read("r/summary.md");
    let line = summary.lines().find(|line| line.starts_with("1. ")).unwrap();
    assert!(line.contains(sentence) && line.contains(". Expected a refusal"), "{line}");
    assert!(place.read("r/report.html").contains(&format!("<span class=\"what\">{sentence}")));
}

/// A target chooses its website's name. The name must not start a line of the output, or a command for its reader.
#[test]
fn the_name_of_a_website_does_not_steer_the_terminal() {
    let website = format!("web\u{1b}]0;owned\u{7}{COMMANDS}");
    let page = serde_json::json!({ "items": [{ "website_id": website, "status": "active" }], "next_page": null });
    let page = page.to_string();
    let fake = Fake::start(move |_| answer(200, &[("content-type", "application/json")], page.as_bytes()));
    let place = Workplace::new();
    let mut command = place.command(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused"]);
    let output = command.env_remove("CONTENTGEN_WEBSITE_ID").output().unwrap();
    let shown = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(shown.contains("owned"), "{shown}");
    assert!(!shown.contains("\u{1b}]0;"), "{shown}");
    assert_no_command(&shown);
}
