//! Requirements that restart the target: a right server keeps them, and servers that forget do not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use contentgen_conformance::check::Restarter;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{HookAbility, HookRegistrar, Outcome, Registration, Target};
use futures::future::{BoxFuture, FutureExt as _};
use serde_json::json;

use crate::broken_servers::proxy::{self, Passing, Spoil};
use crate::support::judged::outcome_of;

const SEED: u64 = 29;

/// Restarts the server, and says that it did.
#[derive(Debug)]
struct Watched(Arc<dyn Restarter>, Arc<AtomicBool>);

impl Restarter for Watched {
    fn restart(&self) -> BoxFuture<'_, Result<(), String>> {
        self.1.store(true, Ordering::SeqCst);
        self.0.restart()
    }
}

/// Registers endpoints, and removes them all when the server restarts.
#[derive(Debug)]
struct Forgetful {
    registrar: Arc<dyn HookRegistrar>,
    restarter: Arc<dyn Restarter>,
    registered: Mutex<Vec<Registration>>,
}

impl HookRegistrar for Forgetful {
    fn register(&self, url: String) -> BoxFuture<'_, Result<Registration, String>> {
        async move {
            let registration = self.registrar.register(url).await?;
            self.registered.lock().unwrap().push(registration.clone());
            Ok(registration)
        }
        .boxed()
    }

    fn offers(&self, ability: HookAbility) -> bool {
        ability == HookAbility::Remove
    }

    fn remove(&self, registration: Registration) -> BoxFuture<'_, Result<(), String>> {
        self.registrar.remove(registration)
    }
}

impl Restarter for Forgetful {
    fn restart(&self) -> BoxFuture<'_, Result<(), String>> {
        async move {
            self.restarter.restart().await?;
            let registered = std::mem::take(&mut *self.registered.lock().unwrap());
            for registration in registered {
                self.registrar.remove(registration).await?;
            }
            Ok(())
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_server_that_forgets_its_endpoints_is_caught() {
    let server = Reference::start().await.unwrap();
    let mut target = server.target();
    let restarter = target.restarter.take().unwrap();
    let hooks = target.hooks.as_mut().unwrap();
    hooks.retry_within = Some(std::time::Duration::from_secs(8));
    let registrar = hooks.registrar.take().unwrap();
    let forgetful = Arc::new(Forgetful { registrar, restarter, registered: Mutex::default() });
    hooks.registrar = Some(Arc::<Forgetful>::clone(&forgetful));
    target.restarter = Some(forgetful);
    let outcome = outcome_of("hooks.restart.delivered", target, SEED).await;
    assert!(matches!(outcome, Outcome::Failed(_)), "seed {SEED}: {outcome:?}");
}

/// Runs one requirement against the reference server behind a proxy that changes responses after the restart.
async fn outcome(id: &str, spoil: impl Fn(&mut Passing) + Send + Sync + 'static) -> Outcome {
    let server = Reference::start().await.unwrap();
    let mut target = server.target();
    let has_restarted = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&has_restarted);
    let spoil: Spoil = Arc::new(move |passing| {
        if seen.load(Ordering::SeqCst) {
            spoil(passing);
        }
    });
    let (base_url, _proxy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), spoil).await;
    let restarter = target.restarter.take().unwrap();
    target.ready_within = Some(std::time::Duration::from_secs(8));
    let target = Target { base_url, restarter: Some(Arc::new(Watched(restarter, has_restarted))), ..target };
    outcome_of(id, target, SEED).await
}

#[tokio::test]
async fn the_reference_server_survives_a_restart() {
    for id in
        ["articles.restart.same", "hooks.restart.delivered", "idempotency.restart.remembered", "jobs.restart.continues"]
    {
        let outcome = outcome(id, |_| {}).await;
        assert!(matches!(outcome, Outcome::Passed), "{id}, seed {SEED}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_server_that_forgets_is_caught() {
    type Forgets = (&'static str, fn(&mut Passing));
    let forgotten: [Forgets; 6] = [
        ("articles.restart.same", |passing| {
            if passing.path.contains("/leads/") {
                passing.edit(|lead| lead["name"] = json!("Robin Rekept"));
            }
        }),
        ("articles.restart.same", |passing| {
            if passing.path.contains("/articles/") {
                passing.edit(|article| article["content_markdown"] = json!("Lost."));
            }
        }),
        ("articles.restart.same", |passing| {
            if passing.path.contains("/jobs/") {
                passing.set("etag", "\"of-another-process\"");
            }
        }),
        ("idempotency.restart.remembered", |passing| {
            if passing.path.ends_with("/generate") {
                passing.edit(|job| job["job_id"] = json!("job_of_a_second_article"));
            }
        }),
        ("jobs.restart.continues", |passing| {
            if passing.path.contains("/jobs/") {
                passing.status = 404;
            }
        }),
        ("jobs.restart.continues", |passing| {
            if passing.path.contains("/jobs/") {
                passing.edit(|job| {
                    job["status"] = json!("in_progress");
                    job["done"] = json!(false);
                    job["deadline_at"] = json!("2020-01-01T00:00:00Z");
                });
            }
        }),
    ];
    for (id, spoil) in forgotten {
        let outcome = outcome(id, spoil).await;
        assert!(matches!(outcome, Outcome::Failed(_)), "{id}, seed {SEED}: {outcome:?}");
    }
}

#[tokio::test]
async fn a_writer_that_fails_after_the_restart_decides_nothing() {
    let fails = |passing: &mut Passing| {
        if passing.path.contains("/jobs/") {
            passing.edit(|job| job["status"] = json!("failed"));
        }
    };
    let outcome = outcome("jobs.restart.continues", fails).await;
    assert!(matches!(outcome, Outcome::Inconclusive(_)), "seed {SEED}: {outcome:?}");
}
