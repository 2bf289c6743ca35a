//! The vendor: a small HTTP server on plain hyper, or the same in memory.

#![expect(clippy::disallowed_methods, reason = "what the vendor does in the background ends with the test")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{self, ArticleIdSource, Capture, Channel, Exchange, TransportFault, Waits};
use contentgen_conformance::runner::{Account, HookRegistrar, HookSetUp, Target};
use futures::future::{BoxFuture, FutureExt as _, ready};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::hooks::{HookDashboard, Registrar};

pub(crate) const KEY: &str = "schluessel-4711-abcdefghij";
pub(crate) const OTHER_KEY: &str = "schluessel-0815-jihgfedcba";
pub(crate) const SITE: &str = "Laden am Markt/1";
pub(crate) const OTHER_SITE: &str = "Laden am Markt/2";

/// Ways in which the vendor breaks the documented facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    AnyKey,
    NoKey,
    ForeignArticles,
    ForeignWebsites,
    OneJobId,
    NumericJobId,
    ArticleForEveryId,
    HookBeforeArticle,
    NoLeadHook,
    NoArticleHook,
    SameKinds,
    LatinText,
    KeyInHook,
    ChangingTypes,
    FilterIgnored,
    RemovedStays,
    EchoedKey,
}

pub(crate) struct Vendor {
    base_url: String,
    shop: Arc<Shop>,
    is_in_memory: bool,
    _server: JoinSet<()>,
}

struct Shop {
    fault: Fault,
    dashboard: Arc<HookDashboard>,
    jobs: AtomicU64,
    /// Articles by id, with their site.
    articles: Arc<Mutex<BTreeMap<String, (String, Value)>>>,
}

impl Shop {
    fn new(fault: Fault, dashboard: HookDashboard) -> Arc<Self> {
        Arc::new(Self { fault, dashboard: Arc::new(dashboard), jobs: AtomicU64::new(0), articles: Arc::default() })
    }
}

impl Vendor {
    /// Returns a vendor without a network, for a run with a paused clock.
    pub(crate) fn in_memory(fault: Fault) -> Self {
        let shop = Shop::new(fault, HookDashboard::in_memory(fault));
        Self { base_url: "http://127.0.0.1:1/dienst".to_owned(), shop, is_in_memory: true, _server: JoinSet::new() }
    }

    pub(crate) async fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/dienst", listener.local_addr().unwrap());
        let shop = Shop::new(fault, HookDashboard::new(fault));
        let mut server = JoinSet::new();
        let served = Arc::clone(&shop);
        server.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let shop = Arc::clone(&served);
                connections.spawn(async move {
                    let service = service_fn(move |request| serve(Arc::clone(&shop), request));
                    let connection = hyper::server::conn::http1::Builder::new();
                    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Self { base_url, shop, is_in_memory: false, _server: server }
    }

    pub(crate) fn registrar(&self) -> Arc<dyn HookRegistrar> {
        Arc::new(Registrar(Arc::clone(&self.shop.dashboard)))
    }

    /// Returns the vendor's description of its server for the suite.
    pub(crate) fn target(&self) -> Target {
        let account = |key: &str, site: &str| Account { api_key: key.to_owned(), website_id: Some(site.to_owned()) };
        let mut target = Target::new(&self.base_url, account(KEY, SITE));
        target.other_account = Some(account(OTHER_KEY, OTHER_SITE));
        target.article_id_from = ArticleIdSource::Hook;
        "/artikel/nummer".clone_into(&mut target.hook_id_pointer);
        // A correct vendor needs this time only on a busy machine. One check waits for it to pass.
        target.ready_within = Some(Duration::from_secs(20));
        target.hooks = Some(HookSetUp {
            public_url: "http://127.0.0.1:{port}/behind/a/tunnel".to_owned(),
            in_process: self.shop.dashboard.log().cloned(),
            ..HookSetUp::loopback(Some(self.registrar()))
        });
        if self.is_in_memory {
            target.in_process = Some(Arc::new(Counter(Arc::clone(&self.shop))));
        }
        target.capture = Some(Capture {
            method: "PUT".to_owned(),
            url: "{base_url}/formular/{website_id}".to_owned(),
            json: None,
            form: Some(vec![
                ("adresse".to_owned(), "{email}".to_owned()),
                ("wer".to_owned(), "{name}".to_owned()),
                ("was".to_owned(), "{message}".to_owned()),
            ]),
        });
        target
    }
}

/// Returns an error as an HTML page, with an unusual status.
fn page(status: u16, text: &str) -> Response<Bytes> {
    let html = format!("<!doctype html><title>{text}</title><h1>Hoppla: {text}</h1>");
    Response::builder().status(status).header("content-type", "text/html").body(Bytes::from(html)).unwrap()
}

fn json_answer(status: u16, body: &Value) -> Response<Bytes> {
    let text = format!("\n{body:#}\n");
    Response::builder()
        .status(status)
        .header("content-type", "text/json;charset=utf-8")
        .body(Bytes::from(text))
        .unwrap()
}

async fn serve(shop: Arc<Shop>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let path = head.uri.path().strip_prefix("/dienst").unwrap_or_default().to_owned();
    let keys: Vec<String> = head
        .headers
        .get_all("authorization")
        .iter()
        .map(|key| String::from_utf8_lossy(key.as_bytes()).into())
        .collect();
    Ok(answer(&shop, head.method.as_str(), &path, &keys, &body).map(Full::from))
}

/// Sends requests to the vendor in memory.
struct Counter(Arc<Shop>);

impl fmt::Debug for Counter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Counter")
    }
}

impl Channel for Counter {
    fn exchange<'a>(
        &'a self,
        request: check::Request,
        _: &'a Waits,
    ) -> BoxFuture<'a, Result<Exchange, TransportFault>> {
        let path = request.path.split('?').next().unwrap_or_default();
        let path = path.strip_prefix("http://127.0.0.1:1/dienst").unwrap_or(path);
        let is_key = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("authorization");
        let keys: Vec<String> = request.headers.iter().filter(is_key).map(|(_, key)| key.clone()).collect();
        let body = request.body.clone().unwrap_or_default();
        let (head, body) = answer(&self.0, &request.method, path, &keys, &body).into_parts();
        ready(Ok(Exchange::new(request, head.status.as_u16(), head.headers, body, Duration::ZERO))).boxed()
    }

    fn raw(&self, _: Vec<u8>, _: usize, _: Option<Duration>) -> BoxFuture<'_, Result<Vec<u8>, TransportFault>> {
        ready(Err(TransportFault::new("it reads no raw bytes"))).boxed()
    }
}

fn answer(shop: &Arc<Shop>, method: &str, path: &str, keys: &[String], body: &[u8]) -> Response<Bytes> {
    if let Some(site) = path.strip_prefix("/formular/") {
        let fields: BTreeMap<String, String> = url::form_urlencoded::parse(body).into_owned().collect();
        shop.dashboard.lead(&decode(site), &fields);
        return page(201, "Danke");
    }
    let sent = if keys.len() == 1 { keys[0].clone() } else { String::new() };
    let site = match sent.strip_prefix("Bearer ") {
        Some(KEY) => SITE,
        Some(OTHER_KEY) => OTHER_SITE,
        Some(_) if shop.fault == Fault::AnyKey => SITE,
        None if shop.fault == Fault::NoKey => SITE,
        _ => return page(407, "kein Zutritt"),
    };
    let mut response = match (method, path.strip_prefix("/api/v1/")) {
        ("POST", Some("generate")) => generate(shop, site, body),
        ("GET", Some(rest)) if rest.starts_with("articles/") => article(shop, site, &decode(&rest[9..])),
        _ => page(410, "gibt es nicht"),
    };
    if shop.fault == Fault::EchoedKey {
        response.headers_mut().insert("x-session", http::HeaderValue::from_bytes(sent.as_bytes()).unwrap());
    }
    response
}

/// Percent-decodes one segment.
fn decode(segment: &str) -> String {
    let plus = segment.replace('+', "%2B");
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(format!("x={plus}").as_bytes()).into_owned().collect();
    pairs.into_iter().next().map(|(_, value)| value).unwrap_or_default()
}

fn generate(shop: &Arc<Shop>, site: &str, body: &[u8]) -> Response<Bytes> {
    let wish: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(topic) = wish["topic"].as_str().filter(|topic| !topic.trim().is_empty()) else {
        return page(499, "kein Thema");
    };
    let asked = wish["website_id"].as_str().unwrap_or_default();
    if asked != site && !(shop.fault == Fault::ForeignWebsites && asked == SITE) {
        return page(451, "fremde Seite");
    }
    let number = shop.jobs.fetch_add(1, Ordering::Relaxed);
    let article = format!("Nº {number}/ä?#%41");
    let text = json!({ "überschrift": topic, "absätze": ["…"], "länge": 1.5, "status": null });
    let (articles, dashboard, site) = (Arc::clone(&shop.articles), Arc::clone(&shop.dashboard), site.to_owned());
    // A late article exceeds the time limit of the core profile.
    let late_by = if shop.fault == Fault::HookBeforeArticle { Duration::from_secs(20) } else { Duration::ZERO };
    tokio::spawn(async move {
        // Respond to the order first.
        tokio::task::yield_now().await;
        if late_by.is_zero() {
            articles.lock().unwrap().insert(article.clone(), (site, text));
            dashboard.article(&article);
        } else {
            dashboard.article(&article);
            tokio::time::sleep(late_by).await;
            articles.lock().unwrap().insert(article, (site, text));
        }
    });
    let job_id = match shop.fault {
        Fault::OneJobId => json!("Auftrag"),
        Fault::NumericJobId => json!(number),
        _ => json!(format!("Auftrag «{number}»")),
    };
    json_answer(206, &json!({ "job_id": job_id, "position": number, "scheduled_posts": [], "status": 3 }))
}

fn article(shop: &Arc<Shop>, site: &str, id: &str) -> Response<Bytes> {
    let articles = shop.articles.lock().unwrap();
    let foreign = shop.fault == Fault::ForeignArticles;
    match articles.get(id) {
        Some((owner, text)) if owner == site || foreign => json_answer(200, text),
        _ if shop.fault == Fault::ArticleForEveryId => json_answer(200, &json!({})),
        _ => page(423, "noch nicht"),
    }
}
