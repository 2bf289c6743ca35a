//! Webhooks whose signing secret cannot be opened, because another key sealed it or it is damaged.

use std::time::Duration;

use contentgen_server_stub::domain::hook::{DeliveryStatus, HookSecret};
use contentgen_server_stub::domain::store::PageRequest;
use contentgen_server_stub::hooks::AddressPolicy;
use contentgen_server_stub::randomness::SystemRandomness;

use super::harness::DispatcherHarness;
use super::receiver::{Answer, Receiver, status};

/// A sealed secret that no key opens.
const SEALED_WITH_ANOTHER_KEY: &str = "v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_that_cannot_be_signed_is_a_failed_attempt_with_its_reason() {
    let ok = || Answer::Bytes(status("200 OK"));
    let receiver = Receiver::start(&[("/sealed", ok()), ("/works", ok())]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let sealed = harness.register(receiver.url("/sealed")).await;
    harness.register(receiver.url("/works")).await;
    let lose_secret =
        format!("UPDATE hook_endpoints SET secret = '{SEALED_WITH_ANOTHER_KEY}' WHERE id = '{}'", sealed.id);
    harness.execute(&lose_secret);
    harness.capture(1).await;
    harness.wait_for_attempts(2).await;
    let page = PageRequest { after: None, limit: 10 };
    let delivery = harness.world.store.list_deliveries(&sealed.id, &page).await.unwrap().remove(0);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Pending, 1));
    assert!(delivery.next_attempt_at > Some(harness.world.now().plus(Duration::from_secs(4))), "by the schedule");
    let attempt = harness.world.store.list_attempts(&delivery.id).await.unwrap().remove(0);
    let reason = "the signing secret cannot be decrypted with the server's key; rotate the secret".to_owned();
    assert_eq!((attempt.response_status, attempt.error), (None, Some(reason)));
    assert_eq!((receiver.at("/works").len(), receiver.at("/sealed").len()), (1, 0));
    // A new secret is enough, although the former one cannot sign beside it.
    let (secret, now) = (HookSecret::generate(&SystemRandomness), harness.world.now());
    let overlap_until = now.plus(Duration::from_hours(24));
    assert!(harness.world.store.rotate_hook_secret(&sealed.id, &secret, (now, overlap_until), None).await.unwrap());
    harness.advance(Duration::from_secs(10));
    let received = receiver.wait_for("/sealed", 1).await.remove(0);
    assert_eq!(received.headers["webhook-signature"].split(' ').count(), 1);
}
