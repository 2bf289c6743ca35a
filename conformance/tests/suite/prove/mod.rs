//! A small proof of the suite: it detects a fault of every area, a variant and the healthy server pass, and the same seed gives the same
//! result. `contentgen-conformance prove` runs the whole proof.

mod third_party;

use std::collections::BTreeSet;

use contentgen_conformance::prove::{Kind, Matrix, Origin, Plan, Verdict, faults, run};
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::Selection;
use contentgen_conformance::spec::Profile;

fn plan() -> Plan {
    Plan { seed: 7, ..Plan::new(Origin::Reference, Profile::Full) }
}

fn proven(only: &[&str], jobs: usize) -> Matrix {
    let only = only.iter().map(ToString::to_string).collect();
    let plan = Plan { selection: Selection { only, skip: Vec::new() }, cases: 32, variant_cases: 2, jobs, ..plan() };
    run(&plan, &mut |_, _, _| {})
}

#[test]
fn every_fault_names_requirements_that_exist() {
    let ids: BTreeSet<&str> = catalogue().iter().map(|requirement| requirement.id).collect();
    let (mut broken, mut benign) = (0, 0);
    for fault in faults() {
        match fault.kind {
            Kind::Broken(named) => {
                broken += 1;
                assert!(!named.is_empty() && named.iter().all(|id| ids.contains(id)), "{}: {named:?}", fault.name);
            }
            Kind::Benign(_) => benign += 1,
        }
    }
    assert!(broken >= 600 && benign >= 42, "{broken} faults, {benign} variants");
}

/// Tests with other broken servers. Each names the requirement that must detect the fault.
const ELSEWHERE: [&str; 14] = [
    include_str!("../broken_servers/articles.rs"),
    include_str!("../broken_servers/jobs.rs"),
    include_str!("../broken_servers/lists.rs"),
    include_str!("../broken_servers/problems.rs"),
    include_str!("../broken_servers/raw.rs"),
    include_str!("../broken_servers/requests.rs"),
    include_str!("../broken_servers/rest.rs"),
    include_str!("../broken_servers/search.rs"),
    include_str!("../broken_senders/faults.rs"),
    include_str!("../third_party/mod.rs"),
    include_str!("../command_line.rs"),
    include_str!("../moved_clock.rs"),
    include_str!("../restart.rs"),
    include_str!("../writer.rs"),
];

#[test]
fn every_requirement_has_a_broken_server_that_it_must_notice() {
    let named: BTreeSet<&str> = faults()
        .filter_map(|fault| match fault.kind {
            Kind::Broken(named) => Some(named),
            Kind::Benign(_) => None,
        })
        .flatten()
        .copied()
        .collect();
    let is_named = |id: &str| {
        let spellings = [format!("\"{id}\""), format!("\"FAIL {id}\"")];
        ELSEWHERE.iter().any(|test| spellings.iter().any(|spelling| test.contains(spelling)))
    };
    let ids = catalogue().into_iter().map(|requirement| requirement.id);
    let untried: Vec<&str> = ids.filter(|id| !named.contains(id) && !is_named(id)).collect();
    assert!(untried.is_empty(), "no broken server for {untried:?}: add a fault to the crate `faults`");
}

#[test]
fn the_page_shows_faults_and_requirements_that_exist_and_says_how_many_were_tried() {
    let page = include_str!("../../../../docs/prove.md");
    let ids: BTreeSet<&str> = catalogue().iter().map(|requirement| requirement.id).collect();
    let names: BTreeSet<&str> = faults().map(|fault| fault.name).collect();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    for row in &rows {
        let name = row.split('`').nth(1).unwrap_or_default();
        assert!(names.contains(name), "{name} is no fault: run `prove --page docs/prove.md`");
        let said = row.rsplit(" | ").next().unwrap_or_default();
        for id in said.split('`').skip(1).step_by(2) {
            assert!(ids.contains(id), "{name}: {id} is no requirement");
        }
        assert!(!row.contains("**"), "{row}");
    }
    let is_whole = rows.len() == names.len();
    let count = format!("The catalogue has {} faults and variants; {} of them were tried", names.len(), rows.len());
    assert!(is_whole || page.contains(&count), "the page lacks: {count}");
}

#[test]
fn a_fault_of_each_area_is_caught_and_a_variant_passes() {
    let matrix = proven(
        &[
            "auth.key-cut",
            "contract.topic-trimmed",
            "http.no-allow",
            "idempotency.key-lower",
            "input.size-off-by-one",
            "isolation.job-of-anyone",
            "json.last-member-wins",
            "leads.twice",
            "limits.plain-type",
            "paging.inclusive",
            "problems.code-upper",
            "state.cancel-only-said",
            "validation.words-5001",
        ],
        4,
    );
    assert_eq!(matrix.trials.len(), 13);
    assert_eq!(matrix.objections(), Vec::<String>::new(), "seed 7");
}

#[test]
fn the_same_seed_gives_the_same_verdict_however_many_servers_run() {
    let said = |jobs| {
        let matrix =
            proven(&["json.last-member-wins", "input.any-media-type", "validation.words-199", "auth.key-cut"], jobs);
        let verdicts = matrix.trials.into_iter().map(|trial| (trial.name, trial.verdict, trial.caught_by));
        verdicts.collect::<Vec<_>>()
    };
    let first = said(1);
    assert_eq!(first.len(), 4);
    assert!(first.iter().all(|(_, verdict, _)| *verdict == Verdict::Caught), "{first:?}");
    assert_eq!(first, said(4));
}

#[test]
fn the_healthy_server_passes_behind_the_proxies() {
    // Use the core profile, because the full one takes minutes. `prove` itself begins with the full one, and `coverage` runs the whole
    // suite against the healthy server.
    let plan = Plan {
        profile: Profile::Core,
        selection: Selection { only: vec!["nothing".to_owned()], skip: Vec::new() },
        healthy_seeds: 2,
        healthy_cases: 1,
        jobs: 2,
        ..plan()
    };
    let matrix = run(&plan, &mut |_, _, _| {});
    assert_eq!(matrix.healthy.len(), 2);
    assert!(matrix.healthy.iter().all(|run| run.failed.is_empty()), "{:#?}", matrix.healthy);
}
