//! `compare`: two servers get the same cases. It tells the faults of the second one from differences that the document allows.

use std::collections::BTreeSet;

use contentgen_conformance::check::Level;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::prove::{Fault, Kind, faults};
use contentgen_conformance::reference::Reference;
use contentgen_conformance::report::{About, RecordedReport, Report, ReportDiff};
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::{Selection, Settings, Suite, Target};
use contentgen_faults::FaultyServer;
use serde_json::Value;

use crate::support::cli::{Workplace, ended, guarded};

fn named(name: &str) -> Fault {
    faults().find(|fault| fault.name == name).unwrap()
}

/// Compares the reference server with itself behind a proxy with this fault or variant. Returns the exit code and the differences.
async fn with(fault: &str, only: &[&str]) -> (i32, Value) {
    let reference = Reference::start().await.unwrap();
    let target = reference.target();
    let proxy = FaultyServer::start(&target.base_url).await.unwrap();
    proxy.enable(named(fault));
    let (left, right) = (target.base_url.clone(), proxy.base_url().to_owned());
    let only: Vec<String> = only.iter().flat_map(|id| ["--only".to_owned(), (*id).to_owned()]).collect();
    let comparing = tokio::task::spawn_blocking(move || {
        let place = Workplace::new();
        let mut command = place.command(&["compare", &left, &right, "--cases", "4", "--seed", "3", "--format", "json"]);
        command.args(only).env("CONTENTGEN_API_KEY", &target.account.api_key).env_remove("CONTENTGEN_WEBSITE_ID");
        ended(&command.output().unwrap())
    });
    let ended = comparing.await.unwrap();
    let diff = serde_json::from_str(&ended.output).unwrap_or_else(|error| panic!("{error}: {}", ended.errors));
    (ended.code, diff)
}

/// Returns subject, what occurs on the left only, what occurs on the right only, and the reason, of each allowed difference.
fn allowed(diff: &Value) -> Vec<[String; 4]> {
    let text = |value: &Value| match value.as_array() {
        Some(values) => values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        None => value.as_str().unwrap().to_owned(),
    };
    let differences = diff["allowed"].as_array().unwrap().iter();
    differences.map(|one| ["subject", "old", "new", "allowed_by"].map(|name| text(&one[name]))).collect()
}

/// A variant of a server, the requirements to run, and the difference that must be found.
struct Expected {
    variant: &'static str,
    only: &'static [&'static str],
    difference: [&'static str; 4],
}

const DIFFERENCES: [Expected; 5] = [
    Expected {
        variant: "benign.sparse-records",
        only: &["jobs.poll", "jobs.progress"],
        difference: [
            "get_job 200: field `/progress`",
            "present",
            "absent",
            "openapi.yaml#/components/schemas/Job does not require it",
        ],
    },
    Expected {
        variant: "benign.extra-members",
        only: &["jobs.poll"],
        difference: [
            "get_job 200: field `/x_trace`",
            "absent",
            "present",
            "openapi.yaml: \u{201c}Clients ignore unknown fields.\u{201d}",
        ],
    },
    Expected {
        variant: "benign.no-last-modified",
        only: &["articles.etag.by-job-id"],
        difference: [
            "get_article 200: header `last-modified`",
            "present",
            "absent",
            "openapi.yaml does not require it in the 200 response of get_article",
        ],
    },
    Expected {
        variant: "benign.in-flight",
        only: &["idempotency.concurrent"],
        difference: [
            "responses of generate",
            "",
            "409 idempotency_in_flight",
            "openapi.yaml documents these responses of generate",
        ],
    },
    Expected {
        variant: "benign.unknown-words",
        only: &["articles.language.text", "jobs.poll"],
        difference: [
            "get_job 200: value of `/error/code` outside of the vocabulary",
            "absent",
            "topic_refused",
            "openapi.yaml: \u{201c}A client keeps values that it does not know.\u{201d}",
        ],
    },
];

#[tokio::test]
async fn permitted_differences_are_shown_with_what_allows_them() {
    for Expected { variant, only, difference } in DIFFERENCES {
        let (code, diff) = with(variant, only).await;
        assert!(code == 0 && allowed(&diff).iter().any(|one| *one == difference), "{variant}, exit {code}: {diff:#}");
    }
}

#[tokio::test]
async fn a_clause_that_only_the_second_server_breaks_is_breaking() {
    // The second requirement only cancels, so it shows that a 204 is not among the allowed differences.
    let (code, diff) = with("contract.cancel-204", &["jobs.cancel.ends", "idempotency.replay.same-answer"]).await;
    let broke: Vec<&Value> = diff["broke"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert!(code == 1 && broke == ["jobs.cancel.ends"], "exit {code}: {diff:#}");
    assert!(!diff["allowed"].to_string().contains("204"), "the document does not list 204: {diff:#}");
}

#[test]
fn a_fault_of_the_first_server_only_is_no_difference_to_object_to() {
    let (good, bad) = (guarded(404), guarded(200));
    let compared = |left: &str, right: &str| {
        let only = ["--only", "auth.wrong-key.refused", "--seed", "1"];
        Workplace::new().run(&[&["compare", left, right], &only[..]].concat())
    };
    let fixed = compared(&bad.base_url, &good.base_url);
    assert!(fixed.code == 0 && fixed.output.contains("   Fixed auth.wrong-key.refused"), "{}", fixed.output);
    let same = compared(&bad.base_url, &bad.base_url);
    assert!(same.code == 0 && same.output.contains("1 as before, 1 of them still failing"), "{}", same.output);
}

#[test]
fn a_server_that_cannot_be_chosen_ends_the_comparison_before_any_run() {
    let fake = guarded(404);
    let place = Workplace::new();
    let missing = place.run(&["compare", &fake.base_url, "missing.toml"]);
    assert!(missing.code == 2 && missing.errors.contains("cannot read missing.toml"), "{}", missing.errors);
    let nothing = place.run(&["compare", &fake.base_url, &fake.base_url, "--only", "nothing"]);
    assert!(nothing.code == 2 && nothing.errors.contains("no requirement of the full profile"), "{}", nothing.errors);
    assert!(fake.seen.lock().unwrap().is_empty());
}

/// Returns the report of a run.
async fn report(target: Target, only: &[&str], cases: u32) -> Report {
    let selection = Selection { only: only.iter().map(ToString::to_string).collect(), skip: Vec::new() };
    let settings = Settings { selection, cases, seed: 1, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    Report::new(&run, About::default())
}

/// Compares the reference server with itself behind a proxy with this fault, in this process.
async fn differences(fault: Fault, only: &[&str], cases: u32) -> ReportDiff {
    let reference = Reference::start().await.unwrap();
    let proxy = FaultyServer::start(&reference.target().base_url).await.unwrap();
    proxy.enable(fault);
    let mut target = reference.target();
    proxy.base_url().clone_into(&mut target.base_url);
    let (left, right) = (report(reference.target(), only, cases).await, report(target, only, cases).await);
    ReportDiff::new(&RecordedReport::of(&left), &RecordedReport::of(&right))
}

/// Returns every tenth of these faults, from a random one on, and the number of that one.
fn tenth(faults: impl Iterator<Item = Fault>) -> (usize, Vec<Fault>) {
    let first = usize::from(rand::random::<u8>() % 10);
    (first, faults.skip(first).step_by(10).collect())
}

/// Faults of webhooks need a separate registrar, which only `prove` has.
fn needs_hooks(fault: &Fault) -> bool {
    match fault.kind {
        Kind::Broken(named) => named.iter().any(|id| id.starts_with("hooks.")),
        Kind::Benign(_) => fault.name.contains(".hook-"),
    }
}

#[tokio::test]
#[ignore = "takes minutes; .ci/nightly runs it"]
async fn at_least_95_of_100_faults_are_breaking() {
    let must: BTreeSet<&str> =
        catalogue().into_iter().filter(|requirement| requirement.level == Level::Must).map(|one| one.id).collect();
    // A broken recommendation is only a warning.
    let broken = |fault: &Fault| {
        matches!(fault.kind, Kind::Broken(named) if named.iter().any(|id| must.contains(id))) && !needs_hooks(fault)
    };
    let (first, chosen) = tenth(faults().filter(broken));
    let (tried, mut missed) = (chosen.len(), Vec::new());
    for fault in chosen {
        let Kind::Broken(named) = fault.kind else { continue };
        let diff = differences(fault, named, 48).await;
        if !diff.is_worse() {
            missed.push(format!("{}: {}", fault.name, diff.text()));
        }
    }
    assert!(missed.len() * 20 <= tried, "{} of {tried}, from number {first} on: {missed:#?}", missed.len());
}

#[tokio::test]
#[ignore = "takes minutes; .ci/nightly runs it"]
async fn permitted_differences_are_allowed() {
    let benign = |fault: &Fault| matches!(fault.kind, Kind::Benign(_)) && !needs_hooks(fault);
    let (first, chosen) = tenth(faults().filter(benign));
    let mut broken = Vec::new();
    for fault in chosen {
        let diff = differences(fault, &[], 8).await;
        if diff.is_worse() {
            broken.push(format!("{}: {}", fault.name, diff.text()));
        }
    }
    assert!(broken.is_empty(), "from number {first} on: {broken:#?}");
}
