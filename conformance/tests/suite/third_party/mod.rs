//! A vendor that keeps the documented facts in its own way must pass the core profile. A vendor that breaks them must not.
//!
//! The vendor of this test differs from the reference server in ids, statuses, errors and webhook payloads.

mod hooks;
pub(crate) mod vendor;

use std::time::Duration;

use contentgen_conformance::check::ArticleIdSource;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Outcome, Run, Selection, Settings, Suite};
use contentgen_conformance::spec::Profile;
use vendor::{Fault, Vendor};

async fn run(vendor: &Vendor, seed: u64) -> Run {
    let settings = Settings { profile: Profile::Core, cases: 16, seed, ..Settings::default() };
    Suite::new(ContentGeneration, vendor.target()).with(settings).run(&|_| {}).await.unwrap()
}

fn broken(run: &Run) -> Vec<String> {
    let lines = run.results.iter().filter(|result| result.is_failure() || matches!(result.outcome, Outcome::Error(_)));
    lines.map(|result| format!("{}: {:?}", result.requirement.id, result.outcome)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_vendor_with_habits_of_its_own_passes_the_core_profile_whatever_the_seed() {
    for seed in [1, 2, 3, 4, 20_261_121] {
        let run = run(&Vendor::in_memory(Fault::None), seed).await;
        let broken = broken(&run);
        assert!(broken.is_empty(), "seed {seed}: {broken:#?}");
        assert!(run.verdicts().passed >= 20, "seed {seed}: {:?}", run.verdicts());
        assert!(run.hook_latency.is_some_and(|latency| latency.count > 5), "seed {seed}: {:?}", run.hook_latency);
    }
}

#[tokio::test(start_paused = true)]
async fn an_article_that_the_set_up_promises_under_the_jobs_id_and_that_never_comes_is_a_failure() {
    let vendor = Vendor::in_memory(Fault::None);
    let mut target = vendor.target();
    target.hooks = None;
    target.article_id_from = ArticleIdSource::JobId;
    // The article never comes.
    target.ready_within = Some(Duration::from_secs(10));
    let selection = Selection { only: vec!["articles.fetch".to_owned()], skip: Vec::new() };
    let settings = Settings { profile: Profile::Core, selection, cases: 1, seed: 5, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    let failed = run.results.iter().filter(|result| matches!(result.outcome, Outcome::Failed(_)));
    let failed: Vec<&str> = failed.map(|result| result.requirement.id).collect();
    assert_eq!(failed, ["articles.fetch.completed", "articles.fetch.ever"]);
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_checked_is_counted_with_its_reason() {
    let vendor = Vendor::in_memory(Fault::None);
    let mut target = vendor.target();
    target.hooks = None;
    // The documentation does not say where an article's id comes from.
    target.article_id_from = ArticleIdSource::Job;
    target.ready_within = Some(Duration::from_secs(1));
    let settings = Settings { profile: Profile::Core, cases: 4, seed: 5, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    assert_eq!(broken(&run), Vec::<String>::new());
    let verdicts = run.verdicts();
    assert!(verdicts.skipped >= 10 && verdicts.inconclusive >= 1, "{verdicts:?}");
    for result in &run.results {
        match &result.outcome {
            Outcome::NotApplicable(reason) | Outcome::Skipped(reason) | Outcome::Inconclusive(reason) => {
                assert!(reason.len() > 10, "{reason}");
            }
            _ => {}
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_broken_fact_is_noticed_in_the_core_profile() {
    let faults = [
        (Fault::AnyKey, "auth.wrong-key.refused"),
        (Fault::NoKey, "auth.missing.refused"),
        (Fault::ForeignArticles, "isolation.articles.core"),
        (Fault::ForeignWebsites, "isolation.websites.core"),
        (Fault::OneJobId, "generate.job-id.unique"),
        (Fault::NumericJobId, "generate.documented.accepted"),
        (Fault::ArticleForEveryId, "articles.unknown.not-found"),
        (Fault::HookBeforeArticle, "hooks.article.readable"),
        (Fault::NoLeadHook, "hooks.lead.sent"),
        (Fault::NoArticleHook, "hooks.article.sent"),
        (Fault::SameKinds, "hooks.events.distinct"),
        (Fault::LatinText, "hooks.lead.text-survives"),
        (Fault::KeyInHook, "hooks.payload.no-secrets"),
        (Fault::ChangingTypes, "hooks.payload.one-shape"),
        (Fault::RemovedStays, "hooks.registration.removed"),
        (Fault::FilterIgnored, "hooks.registration.filter"),
        (Fault::EchoedKey, "auth.key.never-echoed"),
    ];
    for (fault, id) in faults {
        let mut target = Vendor::in_memory(fault).target();
        target.ready_within = Some(Duration::from_secs(3));
        let selection = Selection { only: vec![id.to_owned()], skip: Vec::new() };
        let settings = Settings { profile: Profile::Core, cases: 8, seed: 6, selection, ..Settings::default() };
        let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
        let outcome = &run.results[0].outcome;
        assert!(matches!(outcome, Outcome::Failed(_)), "{fault:?}, {id}: {outcome:?}");
    }
}
