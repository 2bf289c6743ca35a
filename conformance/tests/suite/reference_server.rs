//! The reference server conforms to the contract in both profiles. The same seed sends the same cases with any number of concurrent
//! requests.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::support::{Fake, answer};
use contentgen_conformance::check::ArticleIdSource;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Selection, Settings, Suite, Target};
use contentgen_conformance::spec::Profile;
use contentgen_server_stub::hooks::Tuning;
use contentgen_server_stub::server::Settings as ServerSettings;

async fn keeps(profile: Profile, cases: u32, only: &[&str], skip: &[&str]) {
    let server = Reference::start().await.unwrap();
    kept_by(server.target(), profile, cases, only, skip).await;
}

async fn kept_by(target: Target, profile: Profile, cases: u32, only: &[&str], skip: &[&str]) {
    let settings = Settings {
        profile,
        selection: Selection {
            only: only.iter().map(ToString::to_string).collect(),
            skip: skip.iter().map(ToString::to_string).collect(),
        },
        cases,
        seed: 4,
        ..Settings::default()
    };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    let broken: Vec<String> = run
        .results
        .iter()
        .filter(|result| {
            matches!(
                result.outcome,
                Outcome::Failed(_) | Outcome::Error(_) | Outcome::NotApplicable(_) | Outcome::Skipped(_)
            )
        })
        .map(|result| format!("{}: {:?}", result.requirement.id, result.outcome))
        .collect();
    assert!(broken.is_empty(), "seed 4: {broken:#?}");
    assert!(run.verdicts().passed > 10);
}

#[tokio::test]
async fn the_reference_server_keeps_the_core_profile() {
    keeps(Profile::Core, 16, &[], &[]).await;
}

#[tokio::test]
async fn a_server_keeps_the_core_profile_if_only_its_webhooks_name_the_article() {
    let server = Reference::start().await.unwrap();
    let mut target = server.target();
    target.article_id_from = ArticleIdSource::Hook;
    kept_by(target, Profile::Core, 16, &[], &[]).await;
}

#[tokio::test]
async fn the_reference_server_keeps_what_the_full_profile_says_of_hooks() {
    // `coverage` checks all other requirements. Requirements that wait for the retry schedule run only in the whole suite.
    keeps(Profile::Full, 4, &["hooks"], &["hooks.delivery", "hooks.retry"]).await;
}

#[tokio::test]
async fn a_server_with_another_time_out_keeps_the_one_that_is_declared() {
    let demo = ServerSettings::demo();
    let hooks = Tuning { attempt_timeout: Duration::from_secs(5), ..demo.hooks };
    let server = Reference::start_as(ServerSettings { hooks, ..demo }, None).await.unwrap();
    for (declared, holds) in [(Some(5), true), (None, false)] {
        let mut target = server.target();
        target
            .declared_limits
            .extend(declared.and_then(NonZeroU32::new).map(|limit| ("hook_timeout".to_owned(), limit)));
        let selection = Selection { only: vec!["hooks.delivery.waits".to_owned()], skip: Vec::new() };
        let settings = Settings { selection, seed: 4, ..Settings::default() };
        let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
        let outcomes: Vec<_> = run.results.iter().map(|result| &result.outcome).collect();
        let is_expected = |outcome: &Outcome| match outcome {
            Outcome::Passed => holds,
            Outcome::Failed(_) => !holds,
            _ => false,
        };
        assert!(outcomes.len() == 1 && is_expected(outcomes[0]), "seed 4, declared {declared:?}: {outcomes:?}");
    }
}

#[tokio::test]
async fn the_same_seed_sends_the_same_bodies_however_many_are_in_flight() {
    let mut sent = Vec::new();
    for jobs in [1, 16] {
        let fake = Fake::start(|seen| {
            let body = seen.body.clone();
            let mut queued: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
            queued["job_id"] = "job_1".into();
            answer(202, &[("content-type", "application/json")], queued.to_string().as_bytes())
        });
        let account =
            contentgen_conformance::runner::Account { api_key: "k".to_owned(), website_id: Some("web_1".to_owned()) };
        let target = Target::new(&fake.base_url, account);
        let settings = Settings {
            selection: Selection { only: vec!["generate.valid.echoed".to_owned()], skip: Vec::new() },
            cases: 40,
            seed: 99,
            jobs,
            ..Settings::default()
        };
        Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
        let mut bodies: Vec<Vec<u8>> = fake.seen.lock().unwrap().iter().map(|seen| seen.body.clone()).collect();
        bodies.sort();
        assert!(bodies.len() > 60);
        sent.push(bodies);
    }
    assert_eq!(sent[0], sent[1]);
}
