//! A target that speaks only HTTP/2. Requirements that send raw HTTP/1.1 do not apply to it; all others do.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use base64::Engine as _;
use bytes::Bytes;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::runner::{Account, Outcome, Selection, Settings, Suite, Target};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::support::documented::KEY;

/// Accepts every request with the right key.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let _ = body.collect().await;
    let is_let_in = head.headers.get("authorization").is_some_and(|key| *key == format!("Bearer {KEY}"));
    let (status, media_type, body) = if is_let_in {
        (202, "application/json", r#"{"job_id":"1"}"#)
    } else {
        (404, "application/problem+json", r#"{"type":"about:blank","title":"Not found","status":404}"#)
    };
    Ok(Response::builder().status(status).header("content-type", media_type).body(Full::from(body)).unwrap())
}

/// Starts a TLS server that speaks only this protocol. Returns its port, its certificate in PEM, and its task.
async fn start(protocol: &'static str) -> (u16, String, JoinSet<()>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = config.with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut server = JoinSet::new();
    server.spawn(async move {
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            connections.spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let (stream, service) = (TokioIo::new(stream), service_fn(answer));
                if protocol == "h2" {
                    let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await;
                } else {
                    let _ = http1::Builder::new().serve_connection(stream, service).await;
                }
            });
        }
    });
    let base64 = base64::engine::general_purpose::STANDARD.encode(made.cert.der());
    (port, format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n"), server)
}

/// Runs these requirements against such a server.
async fn outcomes(protocol: &'static str, only: &[&str]) -> BTreeMap<&'static str, Outcome> {
    let (port, certificate, _server) = start(protocol).await;
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("ca.pem");
    std::fs::write(&authority, certificate).unwrap();
    let account = Account { api_key: KEY.to_owned(), website_id: Some("web_1".to_owned()) };
    let mut target = Target::new(&format!("https://localhost:{port}"), account);
    target.ca_file = Some(authority);
    let selection = Selection { only: only.iter().map(ToString::to_string).collect(), skip: Vec::new() };
    let settings = Settings { selection, cases: 1, seed: 7, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.unwrap();
    run.results.into_iter().map(|result| (result.requirement.id, result.outcome)).collect()
}

#[tokio::test]
async fn raw_requests_do_not_apply_to_a_target_that_speaks_only_http2() {
    let outcomes = outcomes("h2", &["http.raw", "http.framing", "auth.wrong-key.refused"]).await;
    assert!(outcomes.len() > 5, "{outcomes:?}");
    for (id, outcome) in outcomes {
        let is_right = match &outcome {
            Outcome::NotApplicable(reason) => id.starts_with("http.") && reason == "the server does not speak HTTP/1.1",
            Outcome::Passed => id == "auth.wrong-key.refused",
            _ => false,
        };
        assert!(is_right, "seed 7: {id}: {outcome:?}");
    }
}

#[tokio::test]
async fn raw_requests_reach_a_target_that_speaks_http1() {
    let outcomes = outcomes("http/1.1", &["http.raw.chunked"]).await;
    assert!(matches!(outcomes["http.raw.chunked"], Outcome::Passed), "seed 7: {outcomes:?}");
}
