//! Webhook receiver like that of an application.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Router, serve};
use contentgen_sdk::webhook::{Claim, MemoryReplayGuard, ReplayGuard as _, Verified, Verifier};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::until::GIVE_UP_AFTER;

/// A webhook that the receiver accepted.
pub(crate) struct Accepted {
    pub(crate) id: String,
    /// True if the replay guard had not seen it before.
    pub(crate) is_new: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Socket of a receiver. The test registers its address before it gets the secret.
pub(crate) struct Address(TcpListener);

/// Receiver that runs until it is dropped.
pub(crate) struct Receiver {
    verifier: Arc<Mutex<Verifier>>,
    accepted: mpsc::UnboundedReceiver<Accepted>,
    _serving: JoinSet<std::io::Result<()>>,
}

#[derive(Clone)]
struct Application {
    verifier: Arc<Mutex<Verifier>>,
    seen: Arc<MemoryReplayGuard>,
    accepted: mpsc::UnboundedSender<Accepted>,
}

impl FromRef<Application> for Verifier {
    fn from_ref(application: &Application) -> Self {
        application.verifier.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Address {
    pub(crate) async fn bind() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").await.expect("a port is free"))
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hooks", self.0.local_addr().expect("it is bound"))
    }

    /// Starts a receiver that accepts webhooks signed with one of these secrets.
    pub(crate) fn receive(self, secrets: &[&str]) -> Receiver {
        let verifier = Arc::new(Mutex::new(verifier(secrets)));
        let (sender, accepted) = mpsc::unbounded_channel();
        let application = Application { verifier: Arc::clone(&verifier), seen: Arc::default(), accepted: sender };
        let router = Router::new().route("/hooks", post(accept)).with_state(application);
        let mut serving = JoinSet::new();
        serving.spawn(async move { serve(self.0, router).await });
        Receiver { verifier, accepted, _serving: serving }
    }
}

impl Receiver {
    /// Replaces the secrets that the receiver accepts.
    pub(crate) fn trust(&self, secrets: &[&str]) {
        *self.verifier.lock().unwrap_or_else(PoisonError::into_inner) = verifier(secrets);
    }

    /// Waits for the next accepted webhook.
    pub(crate) async fn next(&mut self) -> Accepted {
        let next = timeout(GIVE_UP_AFTER, self.accepted.recv()).await;
        next.expect("a hook is accepted").expect("the receiver runs")
    }
}

/// Returns a verifier for secrets in the form in which the server shows them.
pub(crate) fn verifier(secrets: &[&str]) -> Verifier {
    Verifier::new(secrets).expect("the server's secrets can be used")
}

async fn accept(State(application): State<Application>, headers: HeaderMap, hook: Verified) -> StatusCode {
    let Ok(claim) = application.seen.claim(hook.id()).await;
    let is_new = matches!(claim, Claim::New(_));
    if let Claim::New(token) = claim {
        let Ok(()) = application.seen.complete(hook.id(), token).await;
    }
    let accepted = Accepted { id: hook.id().to_owned(), is_new, headers, body: hook.body().to_vec() };
    // Ignored: the test may have ended already.
    let _told = application.accepted.send(accepted);
    StatusCode::NO_CONTENT
}
