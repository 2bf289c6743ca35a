//! The suite's own webhook receiver: a small HTTP server that records requests and sends scripted responses.
//!
//! `requirements` check the records; `receiver_answer` writes the responses.

use std::convert::Infallible;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use std::{fmt, io};

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use super::clock::unix_seconds;
use super::receiver_answer::{self, AnswerBody};
use super::target::{HookSetUp, SetUpError};
use crate::inbox::{Endpoints, HookLog, HookRequest};
use crate::lateness::Lateness;

/// Maximum length of a webhook body, and maximum time for reading it.
const MAX_BODY: usize = 1024 * 1024;
const MAX_BODY_TIME: Duration = Duration::from_secs(30);
/// Maximum time of a TLS handshake.
const MAX_HANDSHAKE: Duration = Duration::from_secs(10);
/// Maximum number of simultaneous connections; further ones are closed.
const MAX_CONNECTIONS: usize = 256;

/// A listening receiver. Dropping it closes the socket and every connection.
#[derive(Debug)]
pub(crate) struct Receiver {
    /// The received requests.
    pub(crate) log: Arc<HookLog>,
    _server: JoinSet<()>,
}

impl Receiver {
    /// Starts to listen and registers the endpoint.
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

    /// Hands the log to a sender in this process.
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
        // A user who registers by hand chooses the path.
        let own_path = set_up.registrar.as_ref().map(|_| format!("/hooks/{run}"));
        let state = Arc::new(ReceiverState { log: Arc::clone(&log), own_path });
        server.spawn(accept(listener, None, Arc::clone(&state)));
        if let Some(Untrusted { listener, acceptor, .. }) = untrusted {
            server.spawn(accept(listener, Some(acceptor), state));
        }
        Ok(Self { log, _server: server })
    }

    /// Removes the registrations, unless they were made by hand. Returns an error for each one that remains.
    pub(crate) async fn remove(&self) -> Vec<String> {
        if self.log.endpoints().registrar.is_none() { Vec::new() } else { self.log.endpoints().remove_all().await }
    }
}

/// Records requests.
struct ReceiverState {
    log: Arc<HookLog>,
    /// Text in the path of every URL that this run registered. Other requests belong to an earlier run.
    own_path: Option<String>,
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, state: Arc<ReceiverState>) {
    let mut connections = JoinSet::new();
    loop {
        // A failed accept concerns one connection. The sender will retry.
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
                // The handshake fails if the sender does not trust the certificate, as it should.
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
    // A sender that closes the connection breaks only its own delivery.
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
        // Shows a sender with an endpoint of a killed run that the receiver is gone.
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

/// The second port: TLS with a fresh self-signed certificate.
struct Untrusted {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    port: u16,
}

impl Untrusted {
    /// Listens on a free port beside `neighbour`.
    async fn bind(neighbour: io::Result<SocketAddr>) -> Result<Self, SetUpError> {
        let failed = |error: &dyn fmt::Display| {
            SetUpError::Configuration(format!("the webhook receiver cannot listen with TLS: {error}"))
        };
        let mut address = neighbour.map_err(|error| failed(&error))?;
        address.set_port(0);
        let listener = TcpListener::bind(address).await.map_err(|error| failed(&error))?;
        let port = listener.local_addr().map_err(|error| failed(&error))?.port();
        let acceptor = acceptor().map_err(|error| failed(&error))?;
        Ok(Self { listener, acceptor, port })
    }

    /// Returns the URL at which the target reaches it, derived from the `public_url` of the receiver.
    fn url(&self, public_url: &str, run: &str) -> String {
        let base = public_url.replacen("http://", "https://", 1).replace("{port}", &self.port.to_string());
        format!("{}/hooks/{run}", base.trim_end_matches('/'))
    }
}

fn acceptor() -> Result<TlsAcceptor, Box<dyn Error + Send + Sync>> {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let rcgen::CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed(names)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
