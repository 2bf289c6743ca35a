//! The suite's own hook receiver: a small HTTP server that records and answers by script.
//!
//! What it recorded is judged in `requirements`; how answers are put on the wire is in `receiver_answer`.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::clock::unix_seconds;
use super::receiver_answer::{self, AnswerBody};
use super::set_up::SetUpError;
use super::target::HookSetUp;
use super::untrusted::Untrusted;
use crate::requirements::{Endpoints, HookAnswer, HookLog, HookRequest, Registration};

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
    set_up: HookSetUp,
    registration: Option<Registration>,
    _server: JoinSet<()>,
}

impl Receiver {
    /// Listens and registers.
    pub(crate) async fn start(set_up: &HookSetUp, run: &str) -> Result<Self, SetUpError> {
        let listener = TcpListener::bind(&set_up.listen).await.map_err(|error| {
            SetUpError::Configuration(format!("the hook receiver cannot listen on {}: {error}", set_up.listen))
        })?;
        let port = listener.local_addr().map_err(|error| SetUpError::Configuration(error.to_string()))?.port();
        let base = set_up.public_url.replace("{port}", &port.to_string());
        let url = format!("{}/hooks/{run}", base.trim_end_matches('/'));
        let mut server = JoinSet::new();
        let untrusted = if set_up.is_direct() { Some(Untrusted::bind(listener.local_addr()).await?) } else { None };
        let tls_url = untrusted.as_ref().map(|untrusted| untrusted.url(&set_up.public_url, run));
        let endpoints =
            Endpoints { url: url.clone(), tls_url, registrar: set_up.registrar.clone(), ..Endpoints::default() };
        let log = Arc::new(HookLog::new(endpoints));
        server.spawn(accept(listener, None, Arc::clone(&log)));
        if let Some(Untrusted { listener, acceptor, .. }) = untrusted {
            server.spawn(accept(listener, Some(acceptor), Arc::clone(&log)));
        }
        let mut registration = None;
        if let Some(registrar) = &set_up.registrar {
            let registered = registrar
                .register(url)
                .await
                .map_err(|error| SetUpError::Target(format!("the hook could not be registered: {error}")))?;
            if set_up.standard_webhooks {
                log.set_secret(registered.secret.clone());
            }
            registration = Some(registered);
        }
        Ok(Self { log, set_up: set_up.clone(), registration, _server: server })
    }

    /// Takes the registration back; the error is one clause.
    pub(crate) async fn remove(&mut self) -> Result<(), String> {
        match (&self.set_up.registrar, self.registration.take()) {
            (Some(registrar), Some(registration)) => registrar.remove(registration).await,
            _ => Ok(()),
        }
    }
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, log: Arc<HookLog>) {
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
        let log = Arc::clone(&log);
        match tls.clone() {
            None => connections.spawn(serve(stream, log)),
            Some(tls) => connections.spawn(async move {
                log.record_handshake();
                // A sender that does not trust the certificate ends here, as it should.
                if let Ok(Ok(stream)) = tokio::time::timeout(MAX_HANDSHAKE, tls.accept(stream)).await {
                    serve(stream, log).await;
                }
            }),
        };
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, log: Arc<HookLog>) {
    let service = service_fn(move |request| answer(request, Arc::clone(&log)));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .serve_connection(TokioIo::new(stream), service);
    // A sender that hangs up breaks its own delivery only.
    let _ = connection.await;
}

async fn answer(request: Request<Incoming>, log: Arc<HookLog>) -> Result<Response<AnswerBody>, Infallible> {
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(MAX_BODY_TIME, Limited::new(body, MAX_BODY).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(_)) => return Ok(receiver_answer::plain(StatusCode::PAYLOAD_TOO_LARGE)),
        Err(_) => return Ok(receiver_answer::plain(StatusCode::REQUEST_TIMEOUT)),
    };
    let path = head.uri.to_string();
    let answer: HookAnswer = log.answer_for(&path, &body);
    log.record(HookRequest {
        method: head.method.to_string(),
        path: path.clone(),
        headers: head.headers,
        body,
        arrived: Instant::now(),
        arrived_unix: unix_seconds(),
        answered: answer.status(),
    });
    Ok(receiver_answer::make(answer, &log, path).await)
}
