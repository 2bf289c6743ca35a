//! The HTTP side: each hook is verified, handed over, and answered by what became of it. Nothing is printed here.

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use contentgen_sdk::webhook::{HookRejection, VerifiedHook, Verifier};
use tokio::sync::{mpsc, oneshot};

/// What arrives.
pub(super) enum Arrival {
    /// A hook of a holder of the secret, the headers it came with, and where to say that it was taken. Dropping that lets the sender come again.
    Hook(VerifiedHook, HeaderMap, oneshot::Sender<()>),
    /// Something else.
    Refused(HookRejection),
}

/// What all requests share.
#[derive(Clone)]
struct Receiver {
    verifier: Verifier,
    arrivals: mpsc::Sender<Arrival>,
}

impl FromRef<Receiver> for Verifier {
    fn from_ref(receiver: &Receiver) -> Self {
        receiver.verifier.clone()
    }
}

/// Takes hooks on any path: which one was registered is the user's business.
pub(super) fn router(verifier: Verifier, arrivals: mpsc::Sender<Arrival>) -> Router {
    let receiver = Receiver { verifier, arrivals };
    Router::new().route("/", post(receive)).route("/{*path}", post(receive)).with_state(receiver)
}

/// Answers once the hook was printed, so that no hook is lost that the sender takes for received.
async fn receive(
    State(receiver): State<Receiver>,
    headers: HeaderMap,
    hook: Result<VerifiedHook, HookRejection>,
) -> Result<StatusCode, HookRejection> {
    let hook = match hook {
        Ok(hook) => hook,
        Err(refused) => {
            // Where nobody listens any more, nobody needs to know.
            let _told = receiver.arrivals.send(Arrival::Refused(refused)).await;
            return Err(refused);
        }
    };
    let (taken, is_taken) = oneshot::channel();
    // If it cannot be handed over, `taken` is dropped with it.
    let _handed_over = receiver.arrivals.send(Arrival::Hook(hook, headers, taken)).await;
    Ok(if is_taken.await.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::SERVICE_UNAVAILABLE })
}
