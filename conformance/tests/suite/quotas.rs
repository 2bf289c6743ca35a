//! Quotas of a target are not failures. The suite stays within an announced quota. A request rejected for a quota is inconclusive. If time
//! is short, every requirement is tried once before any is tried twice.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::answer;
use crate::support::documented::{documented, failed, run, run_at};
use contentgen_conformance::runner::{Event, Limits, Outcome, Replay, RequirementResult, Selection, Settings};
use serde_json::Value;
use tokio::time::Instant;

/// Returns a rejection that asks the client to retry a second later.
fn refusal() -> Vec<u8> {
    answer(429, &[("content-type", "application/json"), ("retry-after", "1")], b"{}")
}

#[tokio::test(start_paused = true)]
async fn an_announced_quota_is_not_exceeded() {
    let window: Mutex<(Option<Instant>, u32)> = Mutex::default();
    let refused = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&refused);
    let headers = &[("ratelimit-policy", "\"api\";q=30;w=1, \"other\";q=1;w=60"), ("ratelimit", "\"api\";r=1;t=1")];
    let fake = documented(headers, move |_| {
        let mut window = window.lock().unwrap();
        if window.0.is_none_or(|began| Instant::now() - began >= Duration::from_secs(1)) {
            *window = (Some(Instant::now()), 0);
        }
        window.1 += 1;
        let is_refused = window.1 > 30;
        count.fetch_add(u32::from(is_refused), Ordering::Relaxed);
        is_refused.then(refusal)
    });
    let run = run(&fake, Settings { cases: 16, ..Settings::default() }, &|_| {}).await;
    assert_eq!(failed(&run), Vec::<String>::new(), "seed 8");
    assert!(run.verdicts().passed >= 8, "{:?}", run.verdicts());
    // The quota is unknown before the first response. Up to 16 requests may be on their way then.
    let (refused, sent) = (refused.load(Ordering::Relaxed), fake.seen.lock().unwrap().len());
    assert!(sent > 100 && refused <= 16, "{refused} of {sent} were refused");
    let spent: u64 = run.results.iter().filter_map(|result| result.requests.get("api")).sum();
    assert!(spent > 60, "requests are missing from the results: {spent}");
}

#[tokio::test(start_paused = true)]
async fn what_stays_refused_for_a_quota_is_not_decided() {
    let is_refused = |path: &str| path.starts_with("/api/v1/articles/") && !path.contains("conformance");
    let fake = documented(&[], move |seen| is_refused(&seen.path).then(refusal));
    let run = run(&fake, Settings { cases: 2, ..Settings::default() }, &|_| {}).await;
    assert_eq!(failed(&run), Vec::<String>::new(), "seed 8");
    let told = |result: &&RequirementResult| matches!(&result.outcome, Outcome::Inconclusive(reason) if reason.contains("429"));
    assert!(run.results.iter().filter(told).count() >= 2, "{:?}", run.verdicts());
}

#[tokio::test(start_paused = true)]
async fn where_time_is_short_each_requirement_is_tried_once_before_any_is_tried_twice() {
    let headers = &[("ratelimit-policy", "\"api\";q=40;w=1"), ("ratelimit", "\"api\";r=1;t=1")];
    let fake = documented(headers, |_| None);
    let notes: Mutex<Vec<String>> = Mutex::default();
    let sink = |event: Event<'_>| {
        if let Event::Started { notes: told, .. } = event {
            notes.lock().unwrap().extend(told.iter().cloned());
        }
    };
    let limit = Duration::from_secs(20);
    let run = run(&fake, Settings { cases: 1000, max_time: Some(limit), ..Settings::default() }, &sink).await;
    assert_eq!(failed(&run), Vec::<String>::new(), "seed 8");
    let tried: Vec<u32> = run
        .results
        .iter()
        .filter(|result| match &result.outcome {
            Outcome::NotApplicable(_) | Outcome::Skipped(_) => false,
            // Other requirements have produced the exchange that this one checks.
            _ if result.requirement.observer().is_some() => false,
            // A requirement that runs beside the others takes longer.
            Outcome::Inconclusive(reason) => !reason.contains("while it ran"),
            _ => true,
        })
        .map(|result| result.cases)
        .collect();
    assert!(tried.iter().any(|cases| *cases > 1) && tried.iter().all(|cases| *cases > 0), "{tried:?}");
    let open = run.results.iter().filter(|result| match &result.outcome {
        Outcome::Inconclusive(reason) => reason.contains("--max-time"),
        _ => false,
    });
    assert!(open.count() > 0, "{:?}", run.verdicts());
    let notes = notes.into_inner().unwrap();
    assert!(notes.iter().any(|note| note.contains("api 40 in 1 s") && note.contains("--cases 16")), "{notes:?}");
}

#[tokio::test(start_paused = true)]
async fn what_fails_because_it_had_to_wait_for_a_quota_is_not_decided() {
    let last: Mutex<Option<Instant>> = Mutex::default();
    let headers: &[(&str, &str)] = &[("ratelimit-policy", "\"api\";q=1;w=1"), ("ratelimit", "\"api\";r=0;t=1")];
    // Only orders in quick succession get different ids.
    let fake = documented(headers, move |seen| {
        let is_order = seen.path == "/api/v1/generate";
        let before = if is_order { last.lock().unwrap().replace(Instant::now()) } else { return None };
        let same =
            || answer(202, &[&[("content-type", "application/json")], headers].concat(), br#"{"job_id":"same"}"#);
        before.is_none_or(|before| Instant::now() - before > Duration::from_millis(700)).then(same)
    });
    // The first order shows which quota orders are charged to.
    let only = ["generate.documented.accepted", "generate.job-id.unique"].map(str::to_owned).to_vec();
    let selection = Selection { only, skip: Vec::new() };
    let run = run(&fake, Settings { selection, cases: 1, ..Settings::default() }, &|_| {}).await;
    assert_eq!(failed(&run), Vec::<String>::new(), "seed 8");
    let told = |result: &&RequirementResult| matches!(&result.outcome, Outcome::Inconclusive(reason) if reason.contains("for the target's quotas, which may be the cause"));
    assert!(run.results.iter().filter(told).count() > 0, "{:?}", run.results);
}

#[tokio::test(start_paused = true)]
async fn a_rate_that_was_asked_for_excuses_nothing() {
    let fake = documented(&[], |seen| {
        let is_order = seen.path == "/api/v1/generate" && seen.body.len() > 2;
        is_order.then(|| answer(500, &[("content-type", "application/json")], b"{}"))
    });
    let selection = Selection { only: vec!["generate.documented.any-text".to_owned()], skip: Vec::new() };
    let limits = Limits { requests_per_second: 3.0, timeout: Duration::from_secs(5) };
    let run = run_at(&fake, limits, Settings { selection, cases: 2, ..Settings::default() }, &|_| {}).await;
    assert_eq!(failed(&run).len(), 1, "seed 8: {:?}", run.results[0].outcome);
}

#[tokio::test(start_paused = true)]
async fn where_time_is_short_what_failed_before_comes_first_and_then_what_is_cheap() {
    let begun = |max_time| async move {
        let failed_before = Replay {
            requirement: "generate.job-id.unique".to_owned(),
            shown_by: "generate.job-id.unique".to_owned(),
            seed: 1,
            case_index: 0,
            case: Value::Null,
        };
        let begun: Mutex<Vec<&'static str>> = Mutex::default();
        let sink = |event: Event<'_>| {
            if let Event::Begun { requirement, .. } = event {
                let mut begun = begun.lock().unwrap();
                if !begun.contains(&requirement.id) {
                    begun.push(requirement.id);
                }
            }
        };
        let settings = Settings { cases: 1, max_time, replays: vec![failed_before], ..Settings::default() };
        run(&documented(&[], |_| None), settings, &sink).await;
        begun.into_inner().unwrap()
    };
    let in_order = begun(Some(Duration::from_mins(2))).await;
    assert_eq!(in_order[0], "generate.job-id.unique", "seed 8: {in_order:?}");
    let place = |order: &[&str], id| order.iter().position(|begun| *begun == id).unwrap();
    let (cheap, expensive) = ("generate.documented.accepted", "articles.fetch.completed");
    assert!(place(&in_order, cheap) < place(&in_order, expensive), "seed 8: {in_order:?}");
    let by_id = begun(None).await;
    assert!(place(&by_id, expensive) < place(&by_id, cheap), "without a limit in the order of ids: {by_id:?}");
}
