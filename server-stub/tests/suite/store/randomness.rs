//! Values that a store generates come from the randomness that its opener passes in.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::job::PROGRESS_DEADLINE;
use contentgen_server_stub::domain::randomness::Randomness;
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage::{self, Options, SecretKey, SecretKeySource};

use super::deliveries::claim;
use super::world::{World, both};
use crate::postgres::Schema;

/// Fills the n-th bytes with n.
#[derive(Debug, Default)]
struct Counter(AtomicU8);

impl Randomness for Counter {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0.fetch_add(1, Ordering::SeqCst));
    }
}

/// Returns the values that a new store at `address` generates: lease tokens, the ids of deliveries and of an
/// overdue job's event.
async fn made(address: &str, randomness: Arc<dyn Randomness>) -> Vec<String> {
    let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
    let options = Options { secret_key: Some(SecretKeySource::Given(key)), ..Options::new(randomness) };
    let world = World::new(storage::open(address, &options).unwrap()).await;
    let mut made = Vec::new();
    world.hook(world.endpoint(&[EventType::LeadCaptured, EventType::JobFailed])).await;
    let (lead, event) = world.lead(None);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let delivery = claim(&world, 1, 1).await.remove(0);
    made.extend([delivery.id, delivery.lease_token]);
    let job_id = world.queue(world.submission("a topic")).await;
    made.push(world.claim().await.remove(0).lease_token);
    let overdue = world.advance(PROGRESS_DEADLINE);
    world.store.renew_job(&job_id, &made[2], overdue.plus_millis(1)).await.unwrap();
    assert_eq!(world.store.fail_overdue_jobs(both(overdue)).await.unwrap().len(), 1);
    let mut failed = claim(&world, 9, 9).await;
    failed.retain(|delivery| delivery.id != made[0]);
    assert_eq!(failed.len(), 1);
    made.extend(failed.into_iter().flat_map(|delivery| [delivery.event_id, delivery.id]));
    made
}

#[tokio::test]
async fn the_same_randomness_makes_the_same_ids_and_tokens_in_both_databases() {
    let folder = tempfile::tempdir().unwrap();
    let address = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let first = made(&address("first.db"), Arc::<Counter>::default()).await;
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), first.len(), "{first:?}");
    assert_eq!(made(&address("second.db"), Arc::<Counter>::default()).await, first);
    let systems = made(&address("third.db"), Arc::new(SystemRandomness)).await;
    assert!(systems.iter().all(|made| !first.contains(made)), "{systems:?}");
    let Some(schema) = Schema::new() else { return };
    assert_eq!(made(schema.address(), Arc::<Counter>::default()).await, first);
}
