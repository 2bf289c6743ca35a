//! Selection and end of a run: selected parts, the first failure, warnings that count as failures.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use contentgen_conformance::runner::{KnownFailure, Outcome, Selection, Settings};

use crate::support::cli::{Ended, Workplace};
use crate::support::documented::{self, documented};
use crate::support::{Fake, answer};

const AREA: [&str; 6] = ["--only", "auth", "--profile", "full", "--seed", "5"];

fn run(place: &Workplace, fake: &Fake, more: &[&str]) -> Ended {
    let base = ["run", "--base-url", &fake.base_url, "--cases", "2", "--report-dir", "r"];
    place.run(&[&base[..], more].concat())
}

/// Returns the ids in the report, only those with this status if it is given.
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

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_known_does_not_end_the_run() {
    let fake = documented(&[("x-echo", documented::KEY)], |_| None);
    let known = KnownFailure { id: "auth.key.never-echoed".to_owned(), reason: "A gateway".to_owned(), expires: None };
    let settings = |known_failures| Settings { cases: 2, fail_fast: true, known_failures, ..Settings::default() };
    let is_ended = |outcome: &Outcome| matches!(outcome, Outcome::Skipped(reason) if reason.contains("--fail-fast"));
    let ended =
        |run: contentgen_conformance::runner::Run| run.results.iter().filter(|one| is_ended(&one.outcome)).count();
    let unknown = documented::run(&fake, settings(Vec::new()), &|_| {}).await;
    assert_eq!(documented::failed(&unknown).len(), 1, "seed 8: {:?}", documented::failed(&unknown));
    assert!(ended(unknown) > 0, "what an observer finds ends the run");
    assert_eq!(ended(documented::run(&fake, settings(vec![known]), &|_| {}).await), 0, "seed 8");
}

/// The run ends as soon as an observer sees something. Its case is then repeated, so that the run does not end without a failure.
#[tokio::test(start_paused = true)]
async fn what_was_seen_once_is_confirmed_although_it_ends_the_run() {
    let (echoing, echoes) = (OnceLock::new(), Arc::new(AtomicU32::new(0)));
    let counted = Arc::clone(&echoes);
    let fake = documented(&[], move |seen| {
        // The first article that a requirement reads always echoes the key, and nothing else does.
        let is_article = seen.path.starts_with("/api/v1/articles/") && !seen.path.ends_with("preflight");
        (is_article && echoing.get_or_init(|| seen.path.clone()) == &seen.path).then(|| {
            counted.fetch_add(1, Ordering::Relaxed);
            answer(404, &[("content-type", "application/json"), ("x-echo", documented::KEY)], b"{}")
        })
    });
    let only = vec!["auth.key.never-echoed".to_owned(), "articles.unknown".to_owned()];
    let selection = Selection { only, ..Selection::default() };
    let settings = Settings { cases: 1, jobs: 1, fail_fast: true, selection, ..Settings::default() };
    let run = documented::run(&fake, settings, &|_| {}).await;
    let failed = documented::failed(&run);
    assert!(
        failed.len() == 1 && failed[0].starts_with("auth.key.never-echoed"),
        "seed 8: {failed:?} {:?}",
        run.results
    );
    assert_eq!(echoes.load(Ordering::Relaxed), 2, "seed 8");
}

#[test]
fn a_warning_fails_a_strict_run() {
    // In the core profile, accepting every text is only a recommendation.
    let fake = Fake::start(|seen| {
        let status = if seen.body.is_ascii() { 202 } else { 500 };
        answer(status, &[("content-type", "application/json")], br#"{"job_id":"1"}"#)
    });
    let place = Workplace::new();
    let advice = ["--only", "generate.documented.any-text", "--profile", "core", "--seed", "5"];
    let lenient = run(&place, &fake, &advice);
    let warned = ids(&place, Some("warned"));
    assert!(lenient.code == 0 && warned.len() == 1, "{}", lenient.output);
    let strict = run(&place, &fake, &[&advice[..], &["--strict"]].concat());
    assert_eq!(strict.code, 1, "{}", strict.output);
    assert!(ids(&place, Some("warned")).is_empty(), "{}", strict.output);
    assert_eq!(warned, ids(&place, Some("failed")));
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
