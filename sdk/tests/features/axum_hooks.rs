//! axum's handlers receive verified hooks only.

use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::routing::post;
use contentgen_sdk::test_util::{HookSigner, SignedHook, sample};
use contentgen_sdk::webhook::{HookEvent, VerifiedHook};
use tower::ServiceExt as _;

/// Answers with the event that it received, so that a test sees the call.
async fn receive(hook: VerifiedHook) -> (StatusCode, String) {
    match hook.event() {
        Ok(HookEvent::LeadCaptured(event)) => (StatusCode::OK, format!("{} {}", hook.id(), event.data.lead.id)),
        Ok(other) => (StatusCode::OK, format!("{} {}", hook.id(), other.event_type())),
        Err(error) => (StatusCode::ACCEPTED, error.to_string()),
    }
}

/// Sends a hook to a router and returns the status and the text of the response.
async fn answer_to(hook: SignedHook) -> (StatusCode, String) {
    let router = Router::new().route("/hooks", post(receive)).with_state(HookSigner::new().verifier());
    let mut request = Request::post("/hooks").body(Body::from(hook.body)).expect("the request is complete");
    *request.headers_mut() = hook.headers;
    let response = router.oneshot(request).await.expect("a router always answers");
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("the response is short");
    (status, String::from_utf8(body.to_vec()).expect("the response is text"))
}

#[tokio::test]
async fn a_signed_hook_reaches_the_handler_with_its_event() {
    let lead = sample::lead_captured("evt_1", &sample::lead("lead_7"));
    assert_eq!(answer_to(HookSigner::new().sign(&lead)).await, (StatusCode::OK, "evt_1 lead_7".to_owned()));
    let newer = sample::unknown_event("evt_2", "article.translated");
    assert_eq!(
        answer_to(HookSigner::new().sign(&newer)).await,
        (StatusCode::OK, "evt_2 article.translated".to_owned())
    );
}

#[tokio::test]
async fn a_changed_body_an_old_hook_and_a_missing_signature_do_not() {
    let signer = HookSigner::new();
    let event = sample::lead_captured("evt_1", &sample::lead("lead_7"));
    let mut changed = signer.sign(&event);
    changed.body.push(b' ');
    let old = signer.sign_at(&event, SystemTime::UNIX_EPOCH + Duration::from_secs(60 * 60));
    let mut unsigned = signer.sign(&event);
    unsigned.headers.remove("webhook-signature");
    let of_another = HookSigner::with_secret("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").sign(&event);
    for hook in [changed, old, unsigned, of_another] {
        let (status, text) = answer_to(hook).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
        assert!(!text.contains("lead_7") && !text.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_is_not_read_to_its_end() {
    let signer = HookSigner::new();
    let long = signer.sign_bytes("evt_1", vec![b'x'; 64 * 1024 + 1]);
    assert_eq!(answer_to(long).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    let longest = signer.sign_bytes("evt_1", vec![b'x'; 64 * 1024]);
    assert_eq!(answer_to(longest).await.0, StatusCode::ACCEPTED);
}
