//! A server that speaks TLS and answers every request with the same job.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use contentgen_sdk::test_util::sample;
use contentgen_sdk::types::JobStatus;
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

use super::authority::{Authority, Identity};

/// A server on a separate thread, which ends with the process.
pub(crate) struct Server {
    pub(crate) url: String,
    connections: Arc<AtomicUsize>,
    requests: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server with the name `localhost` and this certificate.
    pub(crate) fn start(identity: Identity) -> Self {
        Self::start_with(identity, WebPkiClientVerifier::no_client_auth())
    }

    /// Starts a server that requires a client certificate of this authority.
    pub(crate) fn start_asking(identity: Identity, authority: &Authority) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(authority.certificate()).expect("an authority may vouch");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
        Self::start_with(identity, clients.expect("there is an authority"))
    }

    fn start_with(identity: Identity, clients: Arc<dyn ClientCertVerifier>) -> Self {
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has all of them")
            .with_client_cert_verifier(clients)
            .with_single_cert(vec![identity.certificate], identity.key)
            .expect("the key belongs to the certificate");
        let config = Arc::new(config);
        let listener = TcpListener::bind("localhost:0").expect("a loopback port is free");
        let port = listener.local_addr().expect("a bound listener has an address").port();
        let server =
            Self { url: format!("https://localhost:{port}"), connections: Arc::default(), requests: Arc::default() };
        let (connections, requests) = (server.connections.clone(), server.requests.clone());
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                connections.fetch_add(1, Ordering::SeqCst);
                // A client that refuses the certificate disconnects, which ends the connection here.
                let _gone = answer(&config, connection, &requests);
            }
        });
        server
    }

    /// Returns the number of connections and the number of requests over them.
    pub(crate) fn seen(&self) -> (usize, usize) {
        (self.connections.load(Ordering::SeqCst), self.requests.load(Ordering::SeqCst))
    }
}

/// Reads one request and answers it. The request id in the response is the cipher suite of the connection.
fn answer(config: &Arc<ServerConfig>, connection: TcpStream, requests: &AtomicUsize) -> std::io::Result<()> {
    let tls = ServerConnection::new(config.clone()).map_err(std::io::Error::other)?;
    let mut stream = StreamOwned::new(tls, connection);
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.extend_from_slice(&byte);
    }
    requests.fetch_add(1, Ordering::SeqCst);
    let suite = stream.conn.negotiated_cipher_suite().expect("the handshake is over").suite();
    let body = serde_json::to_string(&sample::job("job_1", JobStatus::Queued))?;
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\nx-request-id: {suite:?}\r\ncontent-length: {length}\r\n\r\n{body}"
    )?;
    stream.conn.send_close_notify();
    stream.flush()
}
