//! The model of the contract: its rules quote the document, a server that does whatever they allow passes, and each wrong one is caught.

mod orders;
mod permissive;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use contentgen_conformance::check::{Activity, Capture, Context, Facts, Halt, Origin, Precedence, Requirement};
use contentgen_conformance::lateness::Lateness;
use contentgen_conformance::model::job::{self, Job};
use contentgen_conformance::model::key::{self, Key};
use contentgen_conformance::model::lead::{self, Leads, Person};
use contentgen_conformance::model::{Machine, reachable};
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::spec::{Document, Profile, sentences};
use contentgen_conformance::strategies::{Draw, Space};

use crate::support::facts::facts;
use permissive::{Bug, Permissive};

/// The sequences about jobs, by one client and by several.
const OF_JOBS: [&str; 2] = ["sequences.jobs.model", "sequences.jobs.concurrent"];
const OF_LEADS: &str = "sequences.leads.concurrent";
const EVERY_RESPONSE: &str = "sequences.responses.consistent";

fn named(id: &str) -> Requirement {
    catalogue().into_iter().find(|requirement| requirement.id == id).unwrap()
}

/// Returns the facts of a run against the server in memory.
fn facts_with_form() -> Facts {
    let capture = Capture { url: "/capture/web_1".to_owned(), method: "POST".to_owned(), json: None, form: None };
    Facts { capture: Some(capture), ..facts() }
}

/// Runs one case of a requirement against a permissive server. The seed decides the case and the choices of the server. Returns the
/// verdict, and the findings in single exchanges.
async fn play(id: &'static str, seed: u32, bug: Option<Bug>) -> (Result<(), Halt>, Vec<String>) {
    let requirement = named(id);
    let document = Document::embedded(Profile::Full).unwrap();
    let observer = named(EVERY_RESPONSE).observer().unwrap();
    let found: Arc<Mutex<Vec<String>>> = Arc::default();
    let tap = {
        let (document, found, facts) = (Arc::clone(&document), Arc::clone(&found), facts());
        Arc::new(move |exchange: &Arc<_>, _: Option<&Arc<Origin>>| {
            if let Some(Err(finding)) = observer(&document, &facts, exchange) {
                found.lock().unwrap().push(format!("{}\n{}", finding.expected, finding.observed));
            }
        })
    };
    let server = Arc::new(Permissive::new(seed, bug));
    let context =
        Context::new(Arc::clone(&document), Arc::new(facts_with_form()), server, None, tap, Lateness::default());
    let case = requirement.draw(&Space::new(document, "web_1"), &mut Draw::new(1, id, seed));
    let origin = Origin { requirement: id, case_index: seed, case: case.clone() };
    let context = context.for_case(&seed.to_string(), Precedence::Ordinary, origin, &Arc::new(Activity::default()));
    let verdict = requirement.check(context, case).await;
    let found = found.lock().unwrap().clone();
    (verdict, found)
}

/// Plays this many cases of each requirement, and panics if any response of the permissive server is refused.
async fn play_all(cases: u32) {
    for id in OF_JOBS.into_iter().chain([OF_LEADS]) {
        for seed in 0..cases {
            let (verdict, found) = play(id, seed, None).await;
            assert!(verdict.is_ok(), "{id}, seed {seed}: {}", verdict.unwrap_err());
            assert!(found.is_empty(), "{id}, seed {seed}: {}", found[0]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_the_rules_allow_passes() {
    play_all(300).await;
}

#[tokio::test(start_paused = true)]
#[ignore = "takes minutes: `.ci/nightly` runs it"]
async fn whatever_the_rules_allow_passes_with_ten_thousand_seeds() {
    play_all(5_000).await;
}

/// Number of cases in which a bug must show, and of cases of one client in which a bug that needs several clients must stay hidden.
const CASES: u32 = 600;
const CASES_ALONE: u32 = 40;

/// Returns true if one of the first cases of a requirement notices a bug.
async fn notices(id: &'static str, bug: Bug, cases: u32) -> bool {
    for seed in 0..cases {
        if matches!(play(id, seed, Some(bug)).await.0, Err(Halt::Fail(_))) {
            return true;
        }
    }
    false
}

#[tokio::test(start_paused = true)]
async fn each_wrong_server_is_caught() {
    for bug in Bug::OF_JOBS {
        let [alone, together] = OF_JOBS;
        assert!(notices(together, bug, CASES).await, "{bug:?}");
        if bug.needs_several_clients() {
            assert!(!notices(alone, bug, CASES_ALONE).await, "{bug:?}");
        } else {
            assert!(notices(alone, bug, CASES).await, "{bug:?}");
        }
    }
    for bug in [Bug::KeepsLastForm, Bug::RacesForms] {
        assert!(notices(OF_LEADS, bug, CASES).await, "{bug:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn single_responses_show_what_changes_a_job_after_its_end() {
    for bug in [Bug::GoesBack, Bug::ChangesEnd, Bug::CancelsCompleted, Bug::NeverReady, Bug::CompletesAfterCancel] {
        let mut seed = 0;
        while play(OF_JOBS[1], seed, Some(bug)).await.1.is_empty() {
            seed += 1;
            assert!(seed < CASES, "{bug:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_shows_the_calls_with_their_times_and_marks_the_one_that_does_not_fit() {
    for seed in 0..CASES {
        let Err(Halt::Fail(finding)) = play(OF_JOBS[1], seed, Some(Bug::CancelsCompleted)).await.0 else { continue };
        let marked: Vec<&str> =
            finding.observed.lines().filter(|line| line.ends_with("<- contradicts the others")).collect();
        assert_eq!(marked.len(), 1, "seed {seed}: {}", finding.observed);
        assert!(finding.observed.contains("| cancel the job: 200, cancelled"), "seed {seed}: {}", finding.observed);
        assert!(finding.expected.contains(" (\u{201c}"), "seed {seed}: {}", finding.expected);
        return;
    }
    panic!("none of {CASES} cases failed");
}

#[test]
fn every_rule_quotes_the_document() {
    let document = whole_document();
    let known: BTreeSet<String> = sentences(&document).into_iter().map(|sentence| sentence.text).collect();
    let mut quoted = BTreeSet::new();
    for is_published in [false, true] {
        let rules = Job { is_published };
        for state in reachable(&rules, rules.all_states()) {
            for call in [job::Call::Read, job::Call::Cancel, job::Call::ReadArticle, job::Call::ReadPost] {
                quoted.extend(rules.allowed(&state, &call).into_iter().map(|allowed| allowed.clause));
            }
        }
    }
    for state in [key::State::Free, key::State::Kept { body: 0, job: None }] {
        for call in [0, 1].map(|body| key::Call { body, is_contended: true }) {
            quoted.extend(Key::default().allowed(&state, &call).into_iter().map(|allowed| allowed.clause));
        }
    }
    for call in [lead::Call::Capture(0), lead::Call::List] {
        quoted.extend(Person.allowed(&Leads::default(), &call).into_iter().map(|allowed| allowed.clause));
    }
    assert!(quoted.len() > 10, "{quoted:?}");
    for clause in quoted {
        assert!(known.contains(clause), "no sentence of the document: {clause}");
    }
}

fn whole_document() -> serde_json::Value {
    serde_saphyr::from_str(Document::embedded_text()).unwrap()
}
