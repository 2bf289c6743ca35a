//! Each check for a rejection has a control. A check of rows, links, headers or webhooks must not pass without any. Two servers show this:
//! one rejects everything, the other accepts everything and shows nothing.

mod accepting;
mod idle_switch;
mod kept;
mod refusing;
mod silent_hooks;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use contentgen_conformance::check::{BreakableWriter, Capture, FailingJob, MovableClock, PausableWebsite};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Account, Flaky, Outcome, Selection, Settings, Suite, Target};
use serde_json::json;

use crate::broken_servers::proxy;
use crate::support::in_memory::InMemory;

const SEED: u64 = 17;

/// Requirements that wait nearly a minute for an article to be published. Neither server publishes any.
const WAITING: [&str; 4] = [
    "articles.by-job-id.follows-change",
    "articles.etag.follows-change",
    "articles.last-modified.follows-change",
    "pipeline.updated-at.follows-change",
];

fn account(name: &str) -> Account {
    Account { api_key: format!("cg_live_{name}_0123456789abcdef"), website_id: Some(format!("web_{name}")) }
}

/// Returns the accepting server as a target with all settings that checks can use.
fn accepting(server: &Arc<InMemory>) -> Target {
    let mut target = server.target(account("main"));
    target.other_account = Some(account("other"));
    target.small_quota = Some(account("small"));
    target.narrow_scope = Some(account("narrow"));
    target.inactive_website_id = Some("web_paused".to_owned());
    target.double_opt_in_website_id = Some("web_confirmed".to_owned());
    target.revoked_key = Some(account("revoked"));
    target.expired_key = Some(account("expired"));
    target.restricted_key = Some(account("restricted"));
    target.failing_job = Some(FailingJob { topic: Some("What nobody writes about".to_owned()), website_id: None });
    target.pausable =
        Some(Arc::new(PausableWebsite::new("web_pausable".to_owned(), Arc::new(idle_switch::IdleSwitch))));
    target.clock = Some(Arc::new(MovableClock::new(Arc::new(idle_switch::IdleSwitch))));
    target.restarter = Some(Arc::new(idle_switch::IdleSwitch));
    target.writer = Some(Arc::new(BreakableWriter::new(Arc::new(idle_switch::IdleSwitch))));
    target.eraser = Some(Arc::new(idle_switch::IdleSwitch));
    target.hooks = Some(silent_hooks::set_up());
    target.capture = Some(Capture {
        method: "POST".to_owned(),
        url: "{base_url}/capture/{website_id}".to_owned(),
        json: Some(json!({ "email": "{email}", "name": "{name}", "message": "{message}" })),
        form: None,
    });
    target
}

/// Returns the passed requirements of the full profile.
async fn passed(mut target: Target, ready_within: Duration) -> BTreeSet<&'static str> {
    target.ready_within = Some(ready_within);
    let settings = Settings {
        selection: Selection { only: Vec::new(), skip: WAITING.map(ToOwned::to_owned).to_vec() },
        cases: 1,
        seed: SEED,
        retries: 0,
        shrinks: false,
        flaky: Flaky::Fail,
        ..Settings::default()
    };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    let mut passed = BTreeSet::new();
    for result in &run.results {
        let id = result.requirement.id;
        match &result.outcome {
            Outcome::Passed => _ = passed.insert(id),
            Outcome::NotApplicable(reason) | Outcome::Skipped(reason) | Outcome::Error(reason) => {
                panic!("{id}: {reason}")
            }
            _ => {}
        }
    }
    passed
}

/// Fails if a requirement passes that `kept` does not list. Each list entry has a reason.
fn nothing_else(passed: &BTreeSet<&str>, kept: &[(&str, &[&str])]) {
    let kept: BTreeSet<&str> = kept.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let unproven: Vec<_> = passed.difference(&kept).collect();
    assert!(
        unproven.is_empty(),
        "seed {SEED}: passed without a control, or without having met anything: {unproven:#?}"
    );
    let gone: Vec<_> = kept.difference(passed).collect();
    assert!(gone.is_empty(), "seed {SEED}: passed no more, so strike it from `kept`: {gone:?}");
}

#[tokio::test]
async fn a_server_that_refuses_everything_passes_nothing_but_what_is_about_refusals_alone() {
    let server = Reference::start().await.unwrap();
    let mut target = server.target();
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), Arc::new(refusing::refuse)).await;
    target.base_url = base_url;
    // The test does not wait, but the time limit of a case grows by twice this duration. A busy machine needs it for a thousand requests.
    nothing_else(&passed(target, Duration::from_mins(1)).await, &kept::BY_REFUSING);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_accepts_everything_and_shows_nothing_passes_nothing_but_what_must_be_accepted() {
    nothing_else(&passed(accepting(&accepting::start()), Duration::from_secs(1)).await, &kept::BY_ACCEPTING);
}
