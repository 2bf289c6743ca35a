//! Saved failures, repeated alone by `replay` and first by the next run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::cli::{KEY, Workplace};
use crate::support::{Fake, Seen, answer};

/// Number of further runs if the requirement stays open.
const MAX_FURTHER_RUNS: usize = 10;
const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Accepts every request within the length limit. While `broken`, it counts bytes instead of characters, a likely mistake.
fn counts_bytes(broken: &Arc<AtomicBool>) -> Fake {
    let broken = Arc::clone(broken);
    Fake::start(move |seen: &Seen| {
        let body: serde_json::Value = serde_json::from_slice(&seen.body).unwrap_or_default();
        let topic = body["topic"].as_str().unwrap_or_default();
        let too_long = broken.load(Ordering::SeqCst) && topic.len() > 1000;
        if seen.path != "/api/v1/generate" {
            return answer(404, &JSON, b"{}");
        }
        let queued = serde_json::json!({
            "job_id": "job_1",
            "status": "queued",
            "website_id": body["website_id"],
            "topic": topic,
            "scheduled_post_id": "post_1",
            "created_at": "2026-01-01T00:00:00.000Z",
            "metadata": body.get("metadata").cloned().unwrap_or_else(|| serde_json::json!({})),
        });
        answer(if too_long { 400 } else { 202 }, &JSON, queued.to_string().as_bytes())
    })
}

fn run(place: &Workplace, fake: &Fake, jobs: &str) -> i32 {
    let only = ["--only", "generate.valid.accepted", "--profile", "full"];
    let base =
        ["run", "--base-url", &fake.base_url, "--seed", "3", "--cases", "300", "--jobs", jobs, "--report-dir", "r"];
    place.run(&[&base[..], &only[..]].concat()).code
}

#[test]
fn a_failure_found_with_many_jobs_is_the_same_with_one_and_is_found_again_until_it_is_mended() {
    let broken = Arc::new(AtomicBool::new(true));
    let fake = counts_bytes(&broken);
    let saved = "r/failures/generate.valid.accepted.json";
    let cases: Vec<serde_json::Value> = ["1", "16"]
        .into_iter()
        .map(|jobs| {
            let place = Workplace::new();
            assert_eq!(run(&place, &fake, jobs), 1);
            place.json(saved)
        })
        .collect();
    assert_eq!(cases[0]["case"], cases[1]["case"]);
    assert_eq!(cases[0]["case_index"], cases[1]["case_index"]);
    assert!(cases[0].to_string().contains("{website_id}"), "the case fits every target");
    let topic = cases[0]["case"]["topic"].as_str().unwrap();
    assert!((1001..1005).contains(&topic.len()), "the smallest topic that is too long: {}", topic.len());

    let place = Workplace::new();
    assert_eq!(run(&place, &fake, "16"), 1);
    let again = place.run(&["replay", saved]);
    assert_eq!(again.code, 1, "{}{}", again.output, again.errors);
    assert!(again.output.contains("It still fails") && again.output.contains("expected"), "{}", again.output);
    broken.store(false, Ordering::SeqCst);
    let mended = place.run(&["replay", saved]);
    assert_eq!(mended.code, 0, "{}{}", mended.output, mended.errors);
    assert!(mended.output.contains("does not fail any more"), "{}", mended.output);
    assert!(place.has(saved), "only a run decides what is saved");
    assert_eq!(run(&place, &fake, "16"), 0);
    // On a busy machine the requirement can stay open. Then the run keeps the failure.
    for _ in 0..MAX_FURTHER_RUNS {
        if place.json("r/report.json")["requirements"][0]["status"] == "passed" {
            break;
        }
        assert_eq!(run(&place, &fake, "16"), 0);
    }
    assert!(!place.has(saved) && !place.has("r/har/generate.valid.accepted.har"));
}

#[test]
fn the_next_run_repeats_what_was_saved_before_anything_else() {
    let broken = Arc::new(AtomicBool::new(true));
    let fake = counts_bytes(&broken);
    let place = Workplace::new();
    assert_eq!(run(&place, &fake, "8"), 1);
    let case = place.json("r/failures/generate.valid.accepted.json")["case"].clone();
    let topic = case["topic"].as_str().or(case["body"]["topic"].as_str()).unwrap().to_owned();
    fake.seen.lock().unwrap().clear();
    assert_eq!(run(&place, &fake, "8"), 1);
    let seen = fake.seen.lock().unwrap();
    // The first request only reads the quota.
    let queued: Vec<&Seen> = seen.iter().filter(|seen| seen.path == "/api/v1/generate").skip(1).collect();
    let first: serde_json::Value = serde_json::from_slice(&queued[0].body).unwrap();
    assert_eq!(first["topic"], topic.as_str());
    assert_eq!(first["website_id"], "web_1");
    assert_eq!(queued.len(), 1, "the saved case fails, so no other is tried");
}

#[test]
fn what_failed_is_run_alone_until_nothing_is_known_to_fail() {
    let broken = Arc::new(AtomicBool::new(true));
    let fake = counts_bytes(&broken);
    let place = Workplace::new();
    assert_eq!(run(&place, &fake, "8"), 1);
    let alone = ["run", "--base-url", &fake.base_url, "--cases", "16", "--report-dir", "r", "--failed-only"];
    let again = place.run(&alone);
    assert_eq!(again.code, 1, "{}", again.output);
    let report = place.json("r/report.json");
    let ids: Vec<_> = report["requirements"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["generate.valid.accepted"]);
    broken.store(false, Ordering::SeqCst);
    let mended = place.run(&alone);
    assert_eq!(mended.code, 0, "{}", mended.output);
    let nothing = place.run(&alone);
    assert!(nothing.code == 4 && nothing.errors.contains("without --failed-only"), "{}", nothing.errors);
}

#[test]
fn what_an_observer_found_is_repeated_with_the_case_that_showed_it() {
    let broken = Arc::new(AtomicBool::new(true));
    let hollow = Arc::clone(&broken);
    let fake =
        Fake::start(
            move |_| {
                if hollow.load(Ordering::SeqCst) { answer(200, &JSON, b"{}") } else { answer(404, &JSON, b"{}") }
            },
        );
    let place = Workplace::new();
    let only = ["--only", "answers.get-article.schema", "--only", "articles.unknown.not-found"];
    place.run(&[&["run", "--base-url", &fake.base_url, "--seed", "2", "--report-dir", "r"], &only[..]].concat());
    let saved = "r/failures/answers.get-article.schema.json";
    assert_eq!(place.json(saved)["shown_by"], "articles.unknown.not-found");
    let again = place.run(&["replay", saved]);
    assert_eq!(again.code, 1, "{}{}", again.output, again.errors);
    broken.store(false, Ordering::SeqCst);
    let mended = place.run(&["replay", saved]);
    assert_eq!(mended.code, 0, "{}{}", mended.output, mended.errors);
}

#[test]
fn no_key_shows_in_a_saved_failure_or_its_replay() {
    let fake = Fake::start(|seen| {
        let echo = format!("{{\"items\":[],\"you_sent\":\"{}\"}}", seen.header("authorization").unwrap_or_default());
        answer(200, &JSON, echo.as_bytes())
    });
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.key", "--seed", "2", "--report-dir", "r"]);
    let saved = "r/failures/auth.key.never-echoed.json";
    assert!(!place.read(saved).contains(&KEY[..16]));
    let again = place.run(&["replay", saved]);
    assert_eq!(again.code, 1, "{}{}", again.output, again.errors);
    assert!(!again.output.contains(&KEY[..16]), "{}", again.output);
}

#[test]
fn files_that_cannot_be_repeated_are_refused_with_one_sentence() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused", "--report-dir", "r"]);
    let good = place.json("r/failures/auth.missing.refused.json");
    let changed = |name: &str, member: &str, value: serde_json::Value| {
        let mut copy = good.clone();
        copy[member] = value;
        place.write(name, &copy.to_string());
    };
    changed("newer.json", "format", 99.into());
    changed("unknown.json", "requirement", "no.such.thing".into());
    changed("odd.json", "colour", "red".into());
    let mut target = good["target"].clone();
    target["flag"] = "--base-url http://192.0.2.7".into();
    changed("elsewhere.json", "target", target.clone());
    target["flag"] = "--config somebodys.toml".into();
    changed("commands.json", "target", target);
    place.write("noise.json", "\u{1b}[2J{");
    for (file, hint) in [
        ("missing.json", "cannot read"),
        ("newer.json", "format 99"),
        ("unknown.json", "no.such.thing"),
        ("odd.json", "not a saved failure"),
        ("noise.json", "not a saved failure"),
        ("elsewhere.json", "`--base-url http://192.0.2.7`: add that"),
        ("commands.json", "`--config somebodys.toml`: add that"),
    ] {
        let ended = place.run(&["replay", file]);
        assert_eq!(ended.code, 2, "{file}: {}", ended.errors);
        assert!(ended.errors.contains(hint), "{file}: {}", ended.errors);
        assert_eq!(ended.errors.lines().count(), 1, "{}", ended.errors);
    }
    place.write("r/failures/noise.json", "noise");
    let run = place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing", "--report-dir", "r"]);
    assert_eq!(run.code, 1);
    assert!(run.errors.contains("it was not repeated"), "{}", run.errors);
}

#[test]
fn a_target_that_is_gone_ends_a_replay_with_3() {
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    place.run(&["run", "--base-url", &fake.base_url, "--only", "auth.missing.refused", "--report-dir", "r"]);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let flag = format!("http://{closed}");
    let ended = place.run(&["replay", "r/failures/auth.missing.refused.json", "--base-url", &flag]);
    assert_eq!(ended.code, 3, "{}", ended.errors);
}
