//! Sends requests to the server: HTTP/1.1 without automatic features.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::{ClientConfig, RootCertStore};

use crate::message::{Request, Response};

/// Maximum size of a response, in bytes.
const MAX_RESPONSE: usize = 32 * 1024 * 1024;
/// Maximum time of one response: longer than the longest long poll.
const MAX_TIME: Duration = Duration::from_mins(2);
/// Headers that concern one connection and are not forwarded (RFC 9110, section 7.6.1).
pub(super) const HOP_BY_HOP: [HeaderName; 4] =
    [CONNECTION, TRANSFER_ENCODING, HeaderName::from_static("keep-alive"), HeaderName::from_static("upgrade")];

/// Invalid address of a server.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is not the address of a server: write it as http://host or https://host, with an optional path and no query"
)]
pub struct UpstreamError(String);

/// The server behind the proxy. Copies share its connections.
#[derive(Debug, Clone)]
pub struct Upstream {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    scheme: Scheme,
    authority: Authority,
    /// Path prefix of the server's API, such as `/service`; usually empty.
    base_path: Arc<str>,
}

impl Upstream {
    /// Returns the server at `base_url`.
    ///
    /// # Errors
    /// When `base_url` is not of the form `http://host:port` or `https://host/path`.
    pub fn new(base_url: &str) -> Result<Self, UpstreamError> {
        let failed = || UpstreamError(base_url.to_owned());
        let uri: Uri = base_url.trim_end_matches('/').parse().map_err(|_| failed())?;
        let scheme = uri.scheme().filter(|scheme| matches!(scheme.as_str(), "http" | "https")).ok_or_else(failed)?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(failed)?;
        if uri.query().is_some() {
            return Err(failed());
        }
        let base_path = uri.path().trim_end_matches('/').into();
        let mut connector = HttpConnector::new();
        connector.enforce_http(false);
        connector.set_nodelay(true);
        connector.set_connect_timeout(Some(Duration::from_secs(5)));
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(trusting_this_machine(scheme))
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            // Many servers close idle connections after a few seconds. A request must not use such a connection.
            .pool_idle_timeout(Duration::from_secs(2))
            .build(connector);
        Ok(Self { client, scheme: scheme.clone(), authority: authority.clone(), base_path })
    }

    /// Returns the origin of the server, such as `http://127.0.0.1:8080`.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.authority)
    }

    /// Returns the path prefix of the API, without a slash at its end.
    pub(crate) fn base_path(&self) -> &Arc<str> {
        &self.base_path
    }

    /// Returns the same server for paths outside its API.
    pub(super) fn at_its_root(&self) -> Self {
        Self { base_path: "".into(), ..self.clone() }
    }

    /// Sends a request and reads the whole response. Returns a 502 with the reason on failure.
    pub(super) async fn send(&self, request: &Request) -> Response {
        let failed = |what: &str| Response::new(502, format!("the server behind the proxy {what}"));
        let Some(request) = self.request(request) else { return failed("cannot get this request") };
        let answer = match tokio::time::timeout(MAX_TIME, self.client.request(request)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return failed(&format!("did not respond: {}", innermost(&error))),
            Err(_) => return failed("did not respond in time"),
        };
        let (head, body) = answer.into_parts();
        let body = match tokio::time::timeout(MAX_TIME, Limited::new(body, MAX_RESPONSE).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            _ => return failed("did not finish its response"),
        };
        let mut response = Response::new(head.status.as_u16(), body);
        response.headers = head.headers;
        for name in HOP_BY_HOP {
            response.headers.remove(name);
        }
        response
    }

    fn request(&self, request: &Request) -> Option<hyper::Request<Full<Bytes>>> {
        let path = match &request.query {
            Some(query) => format!("{}{}?{query}", self.base_path, request.path),
            None => format!("{}{}", self.base_path, request.path),
        };
        let uri = Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(PathAndQuery::try_from(path).ok()?)
            .build()
            .ok()?;
        let mut sent = hyper::Request::new(Full::from(request.body.clone()));
        *sent.method_mut() = request.method.clone();
        *sent.uri_mut() = uri;
        *sent.headers_mut() = request.headers.clone();
        let headers = sent.headers_mut();
        headers.insert(HOST, HeaderValue::from_str(self.authority.as_str()).ok()?);
        // Faults read the server's responses, so they must not be compressed.
        headers.remove(ACCEPT_ENCODING);
        // Returns the length of the body, if the caller sent the length or a body.
        if headers.remove(CONTENT_LENGTH).is_some() || !request.body.is_empty() {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(request.body.len()));
        }
        Some(sent)
    }
}

/// Returns the certificates that this machine trusts; none if TLS is not used.
fn trusting_this_machine(scheme: &Scheme) -> ClientConfig {
    // Another crate of the process may have installed a provider first. Either works.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut roots = RootCertStore::empty();
    if *scheme == Scheme::HTTPS {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    ClientConfig::builder().with_root_certificates(roots).with_no_client_auth()
}

/// Returns the most useful cause.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
