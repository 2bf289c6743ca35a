//! Webhooks as a receiver on a real socket gets them.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use contentgen_server_stub::domain::delivery::AttemptKind;
use contentgen_server_stub::domain::endpoint_capacity::EndpointCapacity;
use contentgen_server_stub::domain::event::{Event, EventType};
use contentgen_server_stub::domain::hook::{DeliveryStatus, HookSecret};
use contentgen_server_stub::domain::id::{self, Kind};
use contentgen_server_stub::domain::store::{PageRequest, Redelivery};
use contentgen_server_stub::hooks::{AddressPolicy, Tuning, signature};
use contentgen_server_stub::randomness::SystemRandomness;
use contentgen_server_stub::storage;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::harness::DispatcherHarness;
use super::receiver::{Answer, Received, Receiver, status};
use crate::frozen_time::FrozenTime;
use crate::store::world::{World, both, capacity};
use crate::unused_address::UnusedAddress;
use crate::waiting::until;

/// Verifies a signature as a receiver would, without the sender's code.
fn is_signed_by(received: &Received, secret: &HookSecret) -> bool {
    let mut signed =
        format!("{}.{}.", received.headers["webhook-id"], received.headers["webhook-timestamp"]).into_bytes();
    signed.extend_from_slice(&received.body);
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).unwrap();
    mac.update(&signed);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    received.headers["webhook-signature"].split(' ').any(|candidate| candidate == expected)
}

/// Returns true if the first of several signatures is by this secret.
fn signs_first(received: &Received, secret: &HookSecret) -> bool {
    let mut first = received.clone();
    let signature = first.headers["webhook-signature"].split(' ').next().unwrap().to_owned();
    first.headers.insert("webhook-signature".to_owned(), signature);
    is_signed_by(&first, secret)
}

#[test]
fn signatures_equal_those_of_openssl() {
    let vectors = include_str!("../../../../conformance/vectors/webhook_signatures.json");
    let vectors: Vec<serde_json::Value> = serde_json::from_str(vectors).unwrap();
    assert!(vectors.len() >= 5);
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().unwrap();
        let body = STANDARD.decode(text("body_base64")).unwrap();
        let secret = HookSecret::parse(text("secret")).unwrap();
        let made = signature(text("id"), text("timestamp").parse().unwrap(), &body, std::slice::from_ref(&secret));
        assert_eq!(made, text("signature"), "{}", text("name"));
    }
}

#[test]
fn during_a_rotation_both_secrets_sign() {
    let secrets = [HookSecret::generate(&SystemRandomness), HookSecret::generate(&SystemRandomness)];
    let both = signature("evt_1", 1, b"{}", &secrets);
    let each: Vec<_> =
        secrets.iter().map(|secret| signature("evt_1", 1, b"{}", std::slice::from_ref(secret))).collect();
    assert_eq!(both, each.join(" "));
    assert_ne!(each[0], each[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_arrives_signed_with_the_stored_bytes() {
    let receiver =
        Receiver::start(&[("/in", Answer::Bytes(status("204 No Content").replace("2\r\n\r\nok", "0\r\n\r\n")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let endpoint = harness.register(receiver.url("/in")).await;
    let (lead, event) = harness.world.lead(Some("someone@example.org"));
    harness.world.store.capture_lead(&lead, &event, harness.world.now(), harness.world.now()).await.unwrap();
    harness.capture(0).await;
    let received = receiver.wait_for("/in", 1).await.remove(0);
    assert_eq!(received.body, *event.body);
    assert_eq!(received.headers["webhook-id"], event.id);
    assert_eq!(received.headers["webhook-timestamp"], harness.world.now().seconds().to_string());
    assert_eq!(received.headers["content-type"], "application/json");
    assert!(received.headers["user-agent"].starts_with("contentgen-hooks/"));
    assert!(is_signed_by(&received, &endpoint.secret));
    assert!(!is_signed_by(&received, &HookSecret::generate(&SystemRandomness)));
    assert_eq!(harness.finish().await, [("succeeded".to_owned(), "204".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_has_the_same_id_and_bytes_and_a_fresh_signature() {
    let answer = Answer::FirstThen(status("500 Internal Server Error"), status("200 OK"));
    let receiver = Receiver::start(&[("/in", answer)]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let endpoint = harness.register(receiver.url("/in")).await;
    harness.capture(1).await;
    harness.wait_for_attempts(1).await;
    harness.advance(Duration::from_mins(1));
    let received = receiver.wait_for("/in", 2).await;
    let [first, second] = &received[..] else { panic!("{} requests", received.len()) };
    assert_eq!(first.headers["webhook-id"], second.headers["webhook-id"]);
    assert_eq!(first.body, second.body);
    let timestamp = |received: &Received| received.headers["webhook-timestamp"].parse::<i64>().unwrap();
    assert!(timestamp(second) >= timestamp(first) + 5);
    assert!(is_signed_by(first, &endpoint.secret) && is_signed_by(second, &endpoint.secret));
    assert_eq!(harness.finish().await, [("succeeded".to_owned(), "200".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_a_failure_and_is_not_followed() {
    let redirect = "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n".to_owned();
    let receiver =
        Receiver::start(&[("/in", Answer::Bytes(redirect)), ("/elsewhere", Answer::Bytes(status("200 OK")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    harness.register(receiver.url("/in")).await;
    harness.capture(1).await;
    receiver.wait_for("/in", 1).await;
    assert_eq!(harness.finish().await, [("pending".to_owned(), "302".to_owned())]);
    assert!(receiver.at("/elsewhere").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_gone_gets_nothing_more() {
    let receiver = Receiver::start(&[("/in", Answer::Bytes(status("410 Gone")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    harness.register(receiver.url("/in")).await;
    harness.capture(1).await;
    receiver.wait_for("/in", 1).await;
    let world = Arc::clone(&harness.world);
    assert_eq!(harness.finish().await, [("failed".to_owned(), "410".to_owned())]);
    let (lead, event) = world.lead(None);
    world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    let far = world.now().plus(Duration::from_hours(100));
    assert!(world.store.claim_deliveries(10, &capacity(5), both(far), far).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_receiver_that_hangs_delays_no_other() {
    let receiver = Receiver::start(&[("/hangs", Answer::Silence), ("/works", Answer::Bytes(status("200 OK")))]).await;
    // The time is too short for the hanging attempts to end.
    let time = FrozenTime::begin();
    let tuning = Tuning { rate_per_second: 1000, ..Tuning::default() };
    let harness = DispatcherHarness::with_tuning(AddressPolicy::allow_loopback(), tuning).await;
    harness.register(receiver.url("/hangs")).await;
    harness.register(receiver.url("/works")).await;
    harness.capture(30).await;
    time.until("the other receiver has its hooks", async || receiver.at("/works").len() == 30).await;
    assert!(receiver.at("/hangs").len() <= 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nobody_listens_the_log_says_so_without_the_address() {
    let unused = UnusedAddress::reserve();
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    harness.register(format!("http://{}/in", unused.address)).await;
    harness.capture(1).await;
    let noted = finish_after_first_attempt(harness).await;
    assert_eq!(noted, [("pending".to_owned(), "cannot connect".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_is_not_allowed_gets_nothing_even_if_it_was_registered() {
    let receiver = Receiver::start(&[("/in", Answer::Bytes(status("200 OK")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::public_only()).await;
    let port = receiver.url("").rsplit_once(':').unwrap().1.to_owned();
    for url in
        [receiver.url("/in"), format!("https://127.0.0.1:{port}/in"), format!("https://[::ffff:127.0.0.1]:{port}/in")]
    {
        harness.register(url).await;
    }
    harness.capture(1).await;
    let noted = finish_after_first_attempt(harness).await;
    assert_eq!(noted.len(), 3);
    assert!(noted.iter().all(|(status, _)| status == "pending"), "{noted:?}");
    assert!(noted.iter().all(|(_, note)| !note.contains("127")), "{noted:?}");
    assert!(receiver.at("/in").is_empty());
}

#[tokio::test]
async fn an_endpoint_gets_no_more_than_its_rate_and_another_does_not_wait_for_it() {
    let ok = Answer::Bytes(status("200 OK"));
    let receiver = Receiver::start(&[("/busy", ok.clone()), ("/late", ok)]).await;
    let time = FrozenTime::begin();
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    harness.register(receiver.url("/busy")).await;
    harness.capture(60).await;
    harness.register(receiver.url("/late")).await;
    harness.capture(1).await;
    until("the other is served", async || receiver.at("/late").len() == 1).await;
    let seen = receiver.at("/busy").len();
    assert!(seen < 60, "the busy endpoint had {seen} hooks when the other was served");
    // Of the first thirty-six, twenty arrive at once and the others every 50 ms.
    let took = time.until("thirty-six hooks came", async || receiver.at("/busy").len() >= 36).await;
    assert!(took >= Duration::from_millis(16 * 50), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_gives_each_endpoint_no_more_than_its_capacity() {
    let folder = tempfile::tempdir().unwrap();
    let store = storage::open(
        &format!("sqlite:{}", folder.path().join("test.db").display()),
        &storage::Options::new(Arc::new(SystemRandomness)),
    )
    .unwrap();
    let world = World::new(store).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(world.hook(world.endpoint(&[EventType::LeadCaptured])).await);
    }
    for _ in 0..10 {
        let (lead, event) = world.lead(None);
        world.store.capture_lead(&lead, &event, world.now(), world.now()).await.unwrap();
    }
    let reduced = [(ids[0].clone(), 0), (ids[1].clone(), 2), (ids[2].clone(), 9)].into();
    let capacity = EndpointCapacity { per_endpoint: 4, reduced };
    let now = world.now();
    let claimed =
        world.store.claim_deliveries(100, &capacity, both(now), now.plus(Duration::from_mins(1))).await.unwrap();
    let counts = ids.iter().map(|id| claimed.iter().filter(|delivery| delivery.endpoint_id == *id).count());
    assert_eq!(counts.collect::<Vec<_>>(), [0, 2, 4]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_may_take_a_new_secret_at_any_time_of_the_overlap() {
    let receiver = Receiver::start(&[("/in", Answer::Bytes(status("200 OK")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let endpoint = harness.register(receiver.url("/in")).await;
    let (old, new, now) = (endpoint.secret, HookSecret::generate(&SystemRandomness), harness.world.now());
    let overlap = Duration::from_hours(24);
    harness.world.store.rotate_hook_secret(&endpoint.id, &new, (now, now.plus(overlap)), None).await.unwrap();
    harness.capture(1).await;
    let received = receiver.wait_for("/in", 1).await.remove(0);
    assert!(is_signed_by(&received, &old) && is_signed_by(&received, &new));
    assert_eq!(received.headers["webhook-signature"].split(' ').count(), 2);
    assert!(signs_first(&received, &new), "the newest comes first");
    harness.advance(overlap);
    harness.capture(1).await;
    let received = receiver.wait_for("/in", 2).await.remove(1);
    assert!(is_signed_by(&received, &new) && !is_signed_by(&received, &old));
    assert_eq!(received.headers["webhook-signature"].split(' ').count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_event_arrives_signed_and_is_not_tried_again() {
    let receiver = Receiver::start(&[
        ("/in", Answer::Bytes(status("500 Internal Server Error"))),
        ("/other", Answer::Bytes(status("200 OK"))),
    ])
    .await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let endpoint = harness.register(receiver.url("/in")).await;
    harness.register(receiver.url("/other")).await;
    let world = &harness.world;
    let event = Event::hook_test(id::new(Kind::Event, world.now(), &SystemRandomness), &world.account_id, world.now());
    let delivery_id = world.store.send_test(&endpoint.id, &event, world.now()).await.unwrap().unwrap();
    harness.advance(Duration::from_secs(1));
    let received = receiver.wait_for("/in", 1).await.remove(0);
    let body: serde_json::Value = serde_json::from_slice(&received.body).unwrap();
    assert_eq!((&body["type"], &body["id"]), (&"hook.test".into(), &event.id.as_str().into()));
    assert_eq!(received.headers["webhook-id"], event.id);
    assert!(is_signed_by(&received, &endpoint.secret));
    harness.wait_for_attempts(1).await;
    let attempts = harness.world.store.list_attempts(&delivery_id).await.unwrap();
    assert_eq!((attempts.len(), attempts[0].kind, attempts[0].response_status), (1, AttemptKind::Test, Some(500)));
    // A delivered webhook that is due shows that the dispatcher has polled without sending the test again.
    harness.advance(Duration::from_hours(100));
    harness.capture(1).await;
    receiver.wait_for("/other", 1).await;
    receiver.wait_for("/in", 2).await;
    let world = Arc::clone(&harness.world);
    harness.finish().await;
    assert_eq!(receiver.at("/other").len(), 1);
    let tests = receiver.at("/in").iter().filter(|received| received.headers["webhook-id"] == event.id).count();
    assert_eq!(tests, 1);
    assert_eq!(world.store.list_attempts(&delivery_id).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redelivery_has_the_same_id_and_bytes_and_a_new_timestamp() {
    let receiver = Receiver::start(&[("/in", Answer::Bytes(status("200 OK")))]).await;
    let harness = DispatcherHarness::start(AddressPolicy::allow_loopback()).await;
    let endpoint = harness.register(receiver.url("/in")).await;
    harness.capture(1).await;
    harness.wait_for_attempts(1).await;
    let page = PageRequest { after: None, limit: 10 };
    let delivery = harness.world.store.list_deliveries(&endpoint.id, &page).await.unwrap().remove(0);
    assert_eq!(delivery.status, DeliveryStatus::Succeeded);
    harness.advance(Duration::from_mins(10));
    let queued = harness.world.store.redeliver(&delivery.id, harness.world.now()).await.unwrap();
    assert_eq!(queued, Redelivery::Queued);
    harness.advance(Duration::from_secs(1));
    let received = receiver.wait_for("/in", 2).await;
    let [first, second] = &received[..] else { panic!("{} requests", received.len()) };
    assert_eq!((&first.headers["webhook-id"], &first.body), (&second.headers["webhook-id"], &second.body));
    assert_eq!(first.headers["webhook-id"], delivery.event_id);
    let timestamp = |received: &Received| received.headers["webhook-timestamp"].parse::<i64>().unwrap();
    assert!(timestamp(second) >= timestamp(first) + 600);
    assert!(is_signed_by(first, &endpoint.secret) && is_signed_by(second, &endpoint.secret));
    harness.wait_for_attempts(2).await;
    let attempts = harness.world.store.list_attempts(&delivery.id).await.unwrap();
    let kinds: Vec<_> = attempts.iter().map(|attempt| attempt.kind).collect();
    assert_eq!(kinds, [AttemptKind::Scheduled, AttemptKind::Manual]);
}

/// Waits until no delivery is due, which means that the first attempts are recorded.
async fn finish_after_first_attempt(harness: DispatcherHarness) -> Vec<(String, String)> {
    harness.wait_for_attempts(harness.deliveries()).await;
    harness.finish().await
}
