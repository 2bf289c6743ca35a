//! The suite's own hook receiver: a small HTTP server that records and answers by script.
//!
//! What it recorded is judged in `requirements`; how answers are put on the wire is in `receiver_answer`.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use super::clock::unix_seconds;
use super::receiver_answer::{self, AnswerBody};
use super::set_up::SetUpError;
use super::target::HookSetUp;
use super::untrusted::Untrusted;
use crate::inbox::{Endpoints, HookLog, HookRequest};
use crate::lateness::Lateness;

/// Longest hook body that is read, and for how long.
const MAX_BODY: usize = 1024 * 1024;
const MAX_BODY_TIME: Duration = Duration::from_secs(30);
/// How long a TLS handshake may take.
const MAX_HANDSHAKE: Duration = Duration::from_secs(10);
/// Connections that are served at the same time; further ones are closed.
const MAX_CONNECTIONS: usize = 256;

/// A listening receiver; dropping it closes the socket and every connection.
#[derive(Debug)]
pub(crate) struct Receiver {
    /// What arrived.
    pub(crate) log: Arc<HookLog>,
    _server: JoinSet<()>,
}

impl Receiver {
    /// Listens and registers.
    pub(crate) async fn start(set_up: &HookSetUp, run: &str, lateness: Lateness) -> Result<Self, SetUpError> {
        let receiver = match &set_up.in_process {
            None => Self::listen(set_up, run, lateness).await?,
            Some(place) => Self::hand_over(place, set_up, run, lateness)?,
        };
        let log = &receiver.log;
        if set_up.registrar.is_some() {
            let registered = log
                .endpoints()
                .register_url(log.endpoints().url.clone())
                .await
                .map_err(|error| SetUpError::Target(format!("cannot register the webhook receiver: {error}")))?;
            if set_up.standard_webhooks {
                log.set_secret(registered.secret);
            }
        }
        Ok(receiver)
    }

    /// Gives the log to a sender in this process.
    fn hand_over(
        place: &OnceLock<Arc<HookLog>>,
        set_up: &HookSetUp,
        run: &str,
        lateness: Lateness,
    ) -> Result<Self, SetUpError> {
        let [url, tls_url] = ["http://127.0.0.1:1", "https://127.0.0.1:2"].map(|base| format!("{base}/hooks/{run}"));
        let endpoints = Endpoints::new(url, Some(tls_url), set_up.registrar.clone());
        let log = Arc::new(HookLog::new(endpoints).with(lateness));
        place.set(Arc::clone(&log)).map_err(|_| {
            SetUpError::Configuration("the webhook sender of this process already belongs to another run".to_owned())
        })?;
        Ok(Self { log, _server: JoinSet::new() })
    }

    async fn listen(set_up: &HookSetUp, run: &str, lateness: Lateness) -> Result<Self, SetUpError> {
        let listener = TcpListener::bind(&set_up.listen).await.map_err(|error| {
            SetUpError::Configuration(format!("the webhook receiver cannot listen on {}: {error}", set_up.listen))
        })?;
        let port = listener.local_addr().map_err(|error| SetUpError::Configuration(error.to_string()))?.port();
        let base = set_up.public_url.replace("{port}", &port.to_string());
        let url = format!("{}/hooks/{run}", base.trim_end_matches('/'));
        let mut server = JoinSet::new();
        let untrusted = if set_up.is_direct() { Some(Untrusted::bind(listener.local_addr()).await?) } else { None };
        let tls_url = untrusted.as_ref().map(|untrusted| untrusted.url(&set_up.public_url, run));
        let endpoints = Endpoints::new(url, tls_url, set_up.registrar.clone());
        let log = Arc::new(HookLog::new(endpoints).with(lateness));
        // Who registers by hand chooses the path.
        let own_path = set_up.registrar.as_ref().map(|_| format!("/hooks/{run}"));
        let state = Arc::new(ReceiverState { log: Arc::clone(&log), own_path });
        server.spawn(accept(listener, None, Arc::clone(&state)));
        if let Some(Untrusted { listener, acceptor, .. }) = untrusted {
            server.spawn(accept(listener, Some(acceptor), state));
        }
        Ok(Self { log, _server: server })
    }

    /// Takes back what is registered, unless that was done by hand; why what stays does so.
    pub(crate) async fn remove(&self) -> Vec<String> {
        if self.log.endpoints().registrar.is_none() { Vec::new() } else { self.log.endpoints().remove_all().await }
    }
}

/// Where requests are written down.
struct ReceiverState {
    log: Arc<HookLog>,
    /// What the path of every URL holds that this run registered; other requests are meant for an earlier run.
    own_path: Option<String>,
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, state: Arc<ReceiverState>) {
    let mut connections = JoinSet::new();
    loop {
        // A failed accept concerns one connection; the sender will come again.
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        while connections.try_join_next().is_some() {}
        if connections.len() >= MAX_CONNECTIONS {
            continue;
        }
        let state = Arc::clone(&state);
        match tls.clone() {
            None => connections.spawn(serve(stream, state)),
            Some(tls) => connections.spawn(async move {
                state.log.record_handshake();
                // A sender that does not trust the certificate ends here, as it should.
                if let Ok(Ok(stream)) = tokio::time::timeout(MAX_HANDSHAKE, tls.accept(stream)).await {
                    serve(stream, state).await;
                }
            }),
        };
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, state: Arc<ReceiverState>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&state)));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    // A sender that hangs up breaks its own delivery only.
    let _ = connection.await;
}

async fn answer(request: Request<Incoming>, state: Arc<ReceiverState>) -> Result<Response<AnswerBody>, Infallible> {
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(MAX_BODY_TIME, Limited::new(body, MAX_BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return Ok(receiver_answer::plain(StatusCode::PAYLOAD_TOO_LARGE)),
        Err(_) => return Ok(receiver_answer::plain(StatusCode::REQUEST_TIMEOUT)),
    };
    let path = head.uri.to_string();
    if state.own_path.as_ref().is_some_and(|own| !path.contains(own)) {
        // A sender that still has the endpoint of a run that was killed learns that nobody listens there any more.
        return Ok(receiver_answer::plain(StatusCode::GONE));
    }
    let log = &state.log;
    let mut request = HookRequest {
        method: head.method.to_string(),
        path: path.clone(),
        headers: head.headers,
        body,
        arrived: Instant::now(),
        arrived_unix: unix_seconds(),
        answered: 0,
    };
    let (answer, marker) = log.answer_for(&request);
    request.answered = answer.status();
    log.record(request);
    Ok(receiver_answer::make(answer, &marker, log, path).await)
}
