//! What a dispatcher that is told to stop does with the deliveries that it has claimed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contentgen_server_stub::hooks::{AddressPolicy, Tuning};

use super::harness::DispatcherHarness;
use super::receiver::{Answer, Receiver, status};
use crate::store::world::{LEASE, both, capacity};

const LEADS: usize = 20;
/// The receiver answers so many hooks and leaves the next one waiting.
const ANSWERED: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_for_its_turn_is_released_when_the_dispatcher_stops_and_not_sent() {
    let receiver = Receiver::start(&[("/in", Answer::ThenSilence(ANSWERED, status("200 OK")))]).await;
    // Longer than a busy machine stands still: what waits for its turn would come to it.
    let attempt_timeout = Duration::from_secs(8);
    let tuning = Tuning { attempt_timeout, in_flight: 1, per_endpoint: 10, ..Tuning::default() };
    let harness = DispatcherHarness::with_tuning(AddressPolicy::allow_loopback(), tuning).await;
    harness.register(receiver.url("/in")).await;
    harness.capture(LEADS).await;
    receiver.wait_for("/in", ANSWERED + 1).await;
    let begun = Instant::now();
    while harness.claimed() < 2 {
        assert!(begun.elapsed() < attempt_timeout, "nothing was claimed ahead");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let world = Arc::clone(&harness.world);
    harness.finish().await;
    assert_eq!(receiver.at("/in").len(), ANSWERED + 1, "only what was on its way is sent");
    let (now, until) = (world.now(), world.now().plus(LEASE));
    let left = world.store.claim_deliveries(100, &capacity(100), both(now), until).await.unwrap();
    assert_eq!(left.len(), LEADS - ANSWERED - 1, "another process gets the rest at once");
    assert!(left.iter().all(|delivery| delivery.number == 1), "what was not sent was no attempt");
}
