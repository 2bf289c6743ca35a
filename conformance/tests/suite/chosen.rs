//! Which requirements a run covers and what ends it: parts, the first failure, warnings that count.

use std::collections::BTreeSet;

use crate::support::Fake;
use crate::support::cli::{Ended, Workplace};

const AREA: [&str; 6] = ["--only", "auth", "--profile", "full", "--seed", "5"];

fn run(place: &Workplace, fake: &Fake, more: &[&str]) -> Ended {
    let base = ["run", "--base-url", &fake.base_url, "--cases", "2", "--report-dir", "r"];
    place.run(&[&base[..], more].concat())
}

/// The ids in the report, those with this status only if one is given.
fn ids(place: &Workplace, status: Option<&str>) -> BTreeSet<String> {
    let report = place.json("r/report.json");
    let rows = report["requirements"].as_array().unwrap().iter();
    let rows = rows.filter(|row| status.is_none_or(|status| row["status"] == status));
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn shards_are_together_the_whole_and_have_nothing_in_common() {
    let fake = Fake::constant(200, "{}");
    let whole = Workplace::new();
    run(&whole, &fake, &AREA);
    let mut seen = BTreeSet::new();
    for part in ["1/3", "2/3", "3/3"] {
        let place = Workplace::new();
        run(&place, &fake, &[&AREA[..], &["--shard", part]].concat());
        let report = place.json("r/report.json");
        assert_eq!(report["is_whole"], false);
        assert!(report["repeat"].as_str().unwrap().ends_with(&format!("--shard {part}")), "{}", report["repeat"]);
        for id in ids(&place, None) {
            assert!(seen.insert(id.clone()), "{id} is in two parts");
        }
    }
    assert_eq!(seen, ids(&whole, None));
    for wrong in ["0/3", "4/3", "1", "1/0", "1/101"] {
        let refused = run(&whole, &fake, &["--shard", wrong]);
        assert!(refused.code == 2 && refused.errors.contains("like 1/3"), "{wrong}: {}", refused.errors);
    }
}

#[test]
fn the_first_failure_ends_the_run_if_it_shall() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let all = run(&place, &fake, &AREA);
    let failed = ids(&place, Some("failed"));
    assert!(all.code == 1 && failed.len() > 3, "{failed:?}");
    let ended = run(&place, &fake, &[&AREA[..], &["--fail-fast"]].concat());
    assert_eq!(ended.code, 1, "{}", ended.errors);
    assert!(ids(&place, Some("failed")).len() < failed.len(), "{}", ended.output);
    assert!(ended.output.contains("another requirement failed (--fail-fast) before its turn"), "{}", ended.output);
}

#[test]
fn a_warning_fails_a_strict_run() {
    // Unknown media types and headers are only advised against.
    let fake = Fake::constant(404, "{}");
    let place = Workplace::new();
    let advice = ["--only", "problems.title.table", "--only", "headers", "--profile", "full", "--seed", "5"];
    run(&place, &fake, &advice);
    let warned = ids(&place, Some("warned"));
    let strict = run(&place, &fake, &[&advice[..], &["--strict"]].concat());
    assert_eq!(strict.code, 1, "{}", strict.output);
    assert!(ids(&place, Some("warned")).is_empty(), "{}", strict.output);
    assert!(warned.is_subset(&ids(&place, Some("failed"))), "{warned:?}");
    assert!(place.json("r/report.json")["repeat"].as_str().unwrap().contains("--strict"));
}

#[test]
fn a_mistyped_pattern_leads_to_what_was_meant_and_a_group_is_explained() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let mistyped = run(&place, &fake, &["--only", "auth.missing.refuse"]);
    assert!(mistyped.code == 4 && mistyped.errors.contains("did you mean auth.missing.refused"), "{}", mistyped.errors);
    let group = place.run(&["explain", "articles.html"]);
    assert!(group.code == 0 && group.output.contains("articles.html.safe\n"), "{}", group.output);
    assert!(group.output.lines().count() >= 4, "{}", group.output);
}
