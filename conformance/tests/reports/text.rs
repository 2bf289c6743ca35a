//! `summary.md`, `badge.svg` and `junit.xml`.

use super::cli::Workplace;
use super::support::{Fake, answer};

const HOSTILE: &str = "<img src=x onerror=alert(1)> ](javascript:alert(1)) `` | **bold** \n# heading \u{202e}";

fn hostile_run() -> Workplace {
    let fake = Fake::start(|_| {
        let body = serde_json::json!({ "items": [], "detail": HOSTILE, "job_id": HOSTILE });
        answer(200, &[("content-type", "application/json")], body.to_string().as_bytes())
    });
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--seed", "5", "--cases", "6", "--report-dir", "r"]);
    place
}

#[test]
fn the_summary_shows_the_verdict_and_what_a_target_answers_is_no_markup_in_it() {
    let place = hostile_run();
    let summary = place.read("r/summary.md");
    let failed = &place.json("r/report.json")["summary"]["failed"];
    assert!(summary.contains(&format!("{failed} requirements are broken")), "{summary}");
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
            assert!(matches!(line.matches('|').count(), 5 | 8), "{line}");
        }
    }
}

#[test]
fn the_badge_is_one_small_drawing_with_a_name() {
    let badge = hostile_run().read("r/badge.svg");
    assert!(badge.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{badge}");
    assert!(badge.contains("not conformant") && badge.contains("role=\"img\"") && badge.contains("<title>"));
    assert_eq!(badge.matches("http").count(), 1, "nothing is loaded: {badge}");
    assert!(badge.len() < 2048);
}

#[test]
fn junit_has_one_case_for_each_requirement() {
    let place = hostile_run();
    let junit = place.read("r/junit.xml");
    let rows = place.json("r/report.json")["requirements"].as_array().unwrap().len();
    assert_eq!(junit.matches("<testcase ").count(), rows);
    assert!(!junit.contains("<img"));
}
