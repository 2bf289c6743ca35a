//! Receives webhooks of the reference server with the SDK.

use std::time::Duration;

use contentgen_sdk::test_util::HookSigner;
use contentgen_sdk::webhook::{HookEvent, VerifyError};
use contentgen_server_stub::app::AdminError;

use super::receiver::{Address, verifier};
use super::until::until;
use super::{capture, demonstration};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_secret_is_rotated_both_are_accepted_and_afterwards_only_the_new_one() {
    let server = demonstration().await;
    let account = server.app().account(&server.accounts()[0].name).await.unwrap();
    let address = Address::bind().await;
    let (id, old) = server.create_hook(&account.name, &address.url(), &[]).await.unwrap();
    let mut receiver = address.receive(&[&old]);
    capture(&server, r#"{"email":"before@example.com"}"#).await;
    let before = receiver.next().await;

    // The operator rotates the secret, and the receiver still has the former one.
    let new = server.app().rotate_secret(&account, &id, Duration::from_hours(1)).await.unwrap().secret.reveal();
    assert_ne!(new, old);
    assert_eq!(
        verifier(&[&new]).verify(&before.headers, &before.body).unwrap_err(),
        VerifyError::NoMatchingSignature,
        "the earlier webhook has only the former signature"
    );
    capture(&server, r#"{"email":"meanwhile@example.com"}"#).await;
    let meanwhile = receiver.next().await;
    for secrets in [&[&*old][..], &[&*new], &[&*old, &*new], &[&*new, &*old]] {
        let hook = verifier(secrets).verify(&meanwhile.headers, &meanwhile.body).unwrap();
        assert!(matches!(hook.event(), Ok(HookEvent::LeadCaptured(event))
            if event.data.lead.email.as_deref() == Some("meanwhile@example.com")));
    }
    let stranger = HookSigner::new().verifier();
    assert!(stranger.verify(&meanwhile.headers, &meanwhile.body).is_err());

    // Without an overlap, all former secrets become invalid at once.
    let last = server.app().rotate_secret(&account, &id, Duration::ZERO).await.unwrap().secret.reveal();
    receiver.trust(&[&last]);
    capture(&server, r#"{"email":"after@example.com"}"#).await;
    let after = receiver.next().await;
    let of_both = verifier(&[&old, &new]).verify(&after.headers, &after.body).unwrap_err();
    assert_eq!(of_both, VerifyError::NoMatchingSignature);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_that_is_sent_again_is_recognised() {
    let server = demonstration().await;
    let account = server.app().account(&server.accounts()[0].name).await.unwrap();
    let address = Address::bind().await;
    let (id, secret) = server.create_hook(&account.name, &address.url(), &[]).await.unwrap();
    let mut receiver = address.receive(&[&secret]);
    capture(&server, r#"{"email":"ada@example.com"}"#).await;
    let first = receiver.next().await;
    assert!(first.is_new);

    // The webhook may arrive before the server has recorded the delivery.
    until("the server sends the hook again", async || {
        match server.app().redeliver_event(&account, &id, &first.id).await {
            Ok(_) => true,
            Err(AdminError::InFlight) => false,
            Err(refused) => panic!("{refused}"),
        }
    })
    .await;
    let again = receiver.next().await;
    assert_eq!((&again.id, again.is_new), (&first.id, false));
    assert_eq!(again.body, first.body);

    // A later lead is another event.
    capture(&server, r#"{"email":"grace@example.com"}"#).await;
    let other = receiver.next().await;
    assert!(other.is_new && other.id != first.id);
    server.stop().await;
}
