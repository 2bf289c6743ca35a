//! axum's handlers receive verified hooks only.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::routing::post;
use contentgen_sdk::test_util::{HookSigner, SignedHook, sample};
use contentgen_sdk::webhook::{Claim, ClaimToken, Handled, HookEvent, MemoryReplayGuard, ReplayGuard, Verified};
use tower::ServiceExt as _;

/// Answers with the event that it received, so that a test sees the call.
async fn receive(hook: Verified) -> (StatusCode, String) {
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

/// Handles a hook with work that may fail. Returns the result, and true if the work was started.
async fn handled(guard: &MemoryReplayGuard, id: &str, fails: bool) -> (Handled<&'static str, Infallible>, bool) {
    let signer = HookSigner::new();
    let hook = signer.sign(&sample::lead_captured(id, &sample::lead("lead_7")));
    let hook = signer.verifier().verify(&hook.headers, &hook.body).expect("it is signed");
    let mut is_started = false;
    let work = async {
        is_started = true;
        if fails { Err("no") } else { Ok(()) }
    };
    let handled = guard.handle(&hook, work).await;
    (handled, is_started)
}

#[tokio::test]
async fn an_event_is_handled_until_that_succeeds_and_then_no_more() {
    let guard = MemoryReplayGuard::new();
    let failed = (Handled::Failed("no"), true);
    assert_eq!(handled(&guard, "evt_1", true).await, failed);
    assert_eq!(handled(&guard, "evt_1", true).await, failed, "a retry is handled");
    assert_eq!(failed.0.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(handled(&guard, "evt_1", false).await, (Handled::Now, true));
    assert_eq!(handled(&guard, "evt_1", false).await, (Handled::Before, false));
    assert_eq!(Handled::<(), ()>::Before.status(), StatusCode::NO_CONTENT);
    let Ok(Claim::New(_token)) = guard.claim("evt_2").await else { panic!("it is new") };
    let (in_progress, is_started) = handled(&guard, "evt_2", false).await;
    assert_eq!((in_progress.status(), is_started), (StatusCode::SERVICE_UNAVAILABLE, false));
    assert_eq!(in_progress, Handled::InProgress);
}

/// A guard whose storage fails at a step.
struct Broken {
    fails_to_claim: bool,
}

impl ReplayGuard for Broken {
    type Error = &'static str;

    async fn claim(&self, _id: &str) -> Result<Claim, Self::Error> {
        if self.fails_to_claim { Err("no storage") } else { Ok(Claim::New(ClaimToken::from_bits(1))) }
    }

    async fn complete(&self, _id: &str, _token: ClaimToken) -> Result<(), Self::Error> {
        Err("no storage")
    }

    async fn release(&self, _id: &str, _token: ClaimToken) -> Result<(), Self::Error> {
        Err("no storage")
    }
}

#[tokio::test]
async fn a_guard_whose_storage_fails_asks_for_a_retry() {
    let signer = HookSigner::new();
    let hook = signer.sign(&sample::lead_captured("evt_1", &sample::lead("lead_7")));
    let hook = signer.verifier().verify(&hook.headers, &hook.body).unwrap();
    for (fails_to_claim, outcome, expected) in [
        (true, Ok(()), Handled::GuardFailed("no storage")),
        (false, Ok(()), Handled::GuardFailed("no storage")),
        (false, Err("no"), Handled::Failed("no")),
    ] {
        let handled = Broken { fails_to_claim }.handle(&hook, async { outcome }).await;
        assert_eq!((handled, handled.status()), (expected, StatusCode::SERVICE_UNAVAILABLE));
    }
}
