//! A dispatcher that is asked to stop releases the deliveries that it has claimed.

use std::sync::Arc;

use contentgen_server_stub::hooks::{AddressPolicy, Tuning};

use super::harness::DispatcherHarness;
use super::receiver::{Answer, Receiver, status};
use crate::frozen_time::FrozenTime;
use crate::store::world::{LEASE, both, capacity};

const LEADS: usize = 20;
/// Number of webhooks that the receiver responds to. It holds the next one.
const ANSWERED: usize = 8;

#[tokio::test]
async fn what_waits_for_its_turn_is_released_when_the_dispatcher_stops_and_not_sent() {
    let receiver = Receiver::start(&[("/in", Answer::ThenHeld(ANSWERED, status("200 OK")))]).await;
    let tuning = Tuning { in_flight: 1, per_endpoint: 10, ..Tuning::default() };
    let time = FrozenTime::begin();
    let harness = DispatcherHarness::with_tuning(AddressPolicy::allow_loopback(), tuning).await;
    harness.register(receiver.url("/in")).await;
    harness.capture(LEADS).await;
    let is_held = async || receiver.at("/in").len() > ANSWERED && harness.claimed() >= 2;
    time.until("a delivery is claimed behind the one that the receiver holds", is_held).await;
    harness.stop();
    time.until("the others are released", async || harness.claimed() == 1).await;
    receiver.release();
    let world = Arc::clone(&harness.world);
    tokio::select! {
        _ = harness.finish() => {}
        _ = time.until("the dispatcher has stopped", async || false) => {}
    }
    assert_eq!(receiver.at("/in").len(), ANSWERED + 1, "only what was on its way is sent");
    let (now, until) = (world.now(), world.now().plus(LEASE));
    let left = world.store.claim_deliveries(100, &capacity(100), both(now), until).await.unwrap();
    assert_eq!(left.len(), LEADS - ANSWERED - 1, "another process gets the rest at once");
    assert!(left.iter().all(|delivery| delivery.number == 1), "an unsent delivery has no attempt");
}
