//! The rules for receivers of webhooks: a right receiver passes, and each wrong one is caught by the rule that names its fault.

mod command;
mod wrong;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use contentgen_conformance::receivers::{AskEffects, Sender, WebhookReceiver};
use contentgen_conformance::runner::{Outcome, Selection, Settings, Suite};
use futures::StreamExt as _;
use futures::future::FutureExt as _;
use wrong::{BUGS, Bug, Receiver, SECRET};

/// Time for an answer. Only one receiver takes longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// Wrong receivers that are checked at the same time.
const AT_ONCE: usize = 8;

/// Checks a receiver with this bug, and returns the outcomes of the selected rules.
async fn outcomes(bug: Bug, only: &[&str], has_effects: bool, within: Duration) -> BTreeMap<&'static str, Outcome> {
    let receiver = Receiver::start(bug);
    let counter = Arc::clone(&receiver);
    let ask: AskEffects = Arc::new(move |id| {
        let count = counter.effects(&id);
        async move { Ok(count) }.boxed()
    });
    let effects = has_effects.then_some(ask);
    let sender = Sender::new(receiver.url(), SECRET.to_owned(), within, effects).unwrap();
    let (contract, target) = WebhookReceiver::new(sender);
    let only = only.iter().map(ToString::to_string).collect();
    let settings = Settings {
        seed: 3,
        selection: Selection { only, skip: Vec::new() },
        retries: 0,
        shrinks: false,
        ..Settings::default()
    };
    let run = Suite::new(contract, target).with(settings).run(&|_| {}).await.unwrap();
    run.results.into_iter().map(|result| (result.requirement.id, result.outcome)).collect()
}

#[tokio::test]
async fn a_right_receiver_keeps_every_rule() {
    let found = outcomes(Bug::None, &[], true, ANSWER_WITHIN).await;
    assert!(found.len() >= 20, "{} rules", found.len());
    for (id, outcome) in &found {
        assert!(matches!(outcome, Outcome::Passed), "{id}: {outcome:?}");
    }
}

#[tokio::test]
async fn without_a_command_effects_are_not_observed() {
    let found = outcomes(Bug::TwoEffects, &["receiver.effects"], false, ANSWER_WITHIN).await;
    assert_eq!(found.len(), 4);
    for (id, outcome) in &found {
        let Outcome::NotApplicable(reason) = outcome else { panic!("{id}: {outcome:?}") };
        assert!(reason.contains("--effects"), "{reason}");
    }
}

#[tokio::test]
async fn a_receiver_that_refuses_everything_has_not_shown_that_it_verifies() {
    let found = outcomes(Bug::RefusesAll, &["receiver.signatures", "receiver.times"], false, ANSWER_WITHIN).await;
    for (id, outcome) in &found {
        assert!(!matches!(outcome, Outcome::Passed), "{id} passed");
    }
}

#[tokio::test]
async fn each_wrong_receiver_is_caught_by_the_rule_that_names_its_bug() {
    let checked = futures::stream::iter(BUGS).map(|(bug, rule)| async move {
        // The receiver that does not answer is waited for twice as long.
        let within = if *bug == Bug::Slow { Duration::from_secs(2) } else { ANSWER_WITHIN };
        let mut found = outcomes(*bug, &[rule], true, within).await;
        (bug, rule, found.remove(rule))
    });
    let missed: Vec<String> = checked
        .buffered(AT_ONCE)
        .filter_map(|(bug, rule, outcome)| async move {
            let is_caught = matches!(outcome, Some(Outcome::Failed(_)));
            (!is_caught).then(|| format!("{bug:?} by {rule}: {outcome:?}"))
        })
        .collect()
        .await;
    assert!(BUGS.len() >= 25 && missed.is_empty(), "{} receivers; missed: {missed:#?}", BUGS.len());
}
