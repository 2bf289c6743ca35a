//! HTTP server of `listen`: verifies each hook, passes it on, and answers with the result.

use axum::Router;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use contentgen_sdk::webhook::{HookRejection, Verified, Verifier};
use tokio::sync::{mpsc, oneshot};

/// A received request.
pub(super) enum Arrival {
    /// A verified hook, its headers, and a channel to confirm that it was handled. If the channel is dropped, the sender retries.
    Hook(Verified, HeaderMap, oneshot::Sender<()>),
    /// A request that is not a valid hook.
    Refused(HookRejection),
}

/// State of all requests.
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

/// Makes a router that accepts hooks on any path, because the user chooses the path of the registered URL.
pub(super) fn router(verifier: Verifier, arrivals: mpsc::Sender<Arrival>) -> Router {
    let receiver = Receiver { verifier, arrivals };
    Router::new().route("/", post(receive)).route("/{*path}", post(receive)).with_state(receiver)
}

/// Answers after the hook was printed, so that no acknowledged hook is lost.
async fn receive(
    State(receiver): State<Receiver>,
    headers: HeaderMap,
    hook: Result<Verified, HookRejection>,
) -> Result<StatusCode, HookRejection> {
    let hook = match hook {
        Ok(hook) => hook,
        Err(refused) => {
            // If the session has ended, the report is dropped.
            let _told = receiver.arrivals.send(Arrival::Refused(refused)).await;
            return Err(refused);
        }
    };
    let (taken, is_taken) = oneshot::channel();
    // If it cannot be handed over, `taken` is dropped with it.
    let _handed_over = receiver.arrivals.send(Arrival::Hook(hook, headers, taken)).await;
    Ok(if is_taken.await.is_ok() { StatusCode::NO_CONTENT } else { StatusCode::SERVICE_UNAVAILABLE })
}
