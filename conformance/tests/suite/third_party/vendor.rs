//! The vendor: a small HTTP server on plain hyper.

#![expect(clippy::disallowed_methods, reason = "what the vendor does in the background ends with the test")]

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{ArticleIdSource, Capture};
use contentgen_conformance::runner::{Account, HookRegistrar, HookSetUp, Target};
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

/// How the vendor breaks the documented facts.
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
    pub(crate) base_url: String,
    dashboard: Arc<HookDashboard>,
    _server: JoinSet<()>,
}

struct Shop {
    fault: Fault,
    dashboard: Arc<HookDashboard>,
    jobs: AtomicU64,
    /// Articles by id, with the site they belong to.
    articles: Arc<Mutex<BTreeMap<String, (String, Value)>>>,
}

impl Vendor {
    pub(crate) async fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/dienst", listener.local_addr().unwrap());
        let dashboard = Arc::new(HookDashboard::new(fault));
        let shop = Arc::new(Shop {
            fault,
            dashboard: Arc::clone(&dashboard),
            jobs: AtomicU64::new(0),
            articles: Arc::default(),
        });
        let mut server = JoinSet::new();
        server.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let shop = Arc::clone(&shop);
                connections.spawn(async move {
                    let service = service_fn(move |request| answer(Arc::clone(&shop), request));
                    let connection = hyper::server::conn::http1::Builder::new();
                    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Self { base_url, dashboard, _server: server }
    }

    pub(crate) fn registrar(&self) -> Arc<dyn HookRegistrar> {
        Arc::new(Registrar(Arc::clone(&self.dashboard)))
    }

    /// What the vendor tells the suite of its server.
    pub(crate) fn target(&self) -> Target {
        let account = |key: &str, site: &str| Account { api_key: key.to_owned(), website_id: Some(site.to_owned()) };
        let mut target = Target::new(&self.base_url, account(KEY, SITE));
        target.other_account = Some(account(OTHER_KEY, OTHER_SITE));
        target.article_id_from = ArticleIdSource::Hook;
        "/artikel/nummer".clone_into(&mut target.hook_id_pointer);
        // A right vendor needs no such time, unless the machine is busy; one check waits for it to pass.
        target.ready_within = Duration::from_secs(20);
        target.hooks = Some(HookSetUp {
            public_url: "http://127.0.0.1:{port}/behind/a/tunnel".to_owned(),
            ..HookSetUp::loopback(Some(self.registrar()))
        });
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

/// Errors are pages for people, with statuses that nobody expects.
fn page(status: u16, text: &str) -> Response<Full<Bytes>> {
    let html = format!("<!doctype html><title>{text}</title><h1>Hoppla: {text}</h1>");
    Response::builder().status(status).header("content-type", "text/html").body(Full::from(html)).unwrap()
}

fn json_answer(status: u16, body: &Value) -> Response<Full<Bytes>> {
    let text = format!("\n{body:#}\n");
    Response::builder().status(status).header("content-type", "text/json;charset=utf-8").body(Full::from(text)).unwrap()
}

async fn answer(shop: Arc<Shop>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let path = head.uri.path().strip_prefix("/dienst").unwrap_or_default().to_owned();
    if let Some(site) = path.strip_prefix("/formular/") {
        let fields: BTreeMap<String, String> = url::form_urlencoded::parse(&body).into_owned().collect();
        shop.dashboard.lead(&decode(site), &fields);
        return Ok(page(201, "Danke"));
    }
    let sent = head.headers.get_all("authorization").iter().collect::<Vec<_>>();
    let sent = if sent.len() == 1 { String::from_utf8_lossy(sent[0].as_bytes()).into_owned() } else { String::new() };
    let site = match sent.strip_prefix("Bearer ") {
        Some(KEY) => SITE,
        Some(OTHER_KEY) => OTHER_SITE,
        Some(_) if shop.fault == Fault::AnyKey => SITE,
        None if shop.fault == Fault::NoKey => SITE,
        _ => return Ok(page(407, "kein Zutritt")),
    };
    let mut response = match (head.method.as_str(), path.strip_prefix("/api/v1/")) {
        ("POST", Some("generate")) => generate(&shop, site, &body),
        ("GET", Some(rest)) if rest.starts_with("articles/") => article(&shop, site, &decode(&rest[9..])),
        _ => page(410, "gibt es nicht"),
    };
    if shop.fault == Fault::EchoedKey {
        response.headers_mut().insert("x-session", http::HeaderValue::from_bytes(sent.as_bytes()).unwrap());
    }
    Ok(response)
}

/// Percent-decodes one segment.
fn decode(segment: &str) -> String {
    let plus = segment.replace('+', "%2B");
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(format!("x={plus}").as_bytes()).into_owned().collect();
    pairs.into_iter().next().map(|(_, value)| value).unwrap_or_default()
}

fn generate(shop: &Arc<Shop>, site: &str, body: &[u8]) -> Response<Full<Bytes>> {
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
    let late = shop.fault == Fault::HookBeforeArticle;
    tokio::spawn(async move {
        // The order is answered first.
        tokio::task::yield_now().await;
        // A late one is not there in the time that the core profile allows, nor ever.
        if !late {
            articles.lock().unwrap().insert(article.clone(), (site, text));
        }
        dashboard.article(&article);
    });
    let job_id = match shop.fault {
        Fault::OneJobId => json!("Auftrag"),
        Fault::NumericJobId => json!(number),
        _ => json!(format!("Auftrag «{number}»")),
    };
    json_answer(206, &json!({ "job_id": job_id, "position": number, "scheduled_posts": [], "status": 3 }))
}

fn article(shop: &Arc<Shop>, site: &str, id: &str) -> Response<Full<Bytes>> {
    let articles = shop.articles.lock().unwrap();
    let foreign = shop.fault == Fault::ForeignArticles;
    match articles.get(id) {
        Some((owner, text)) if owner == site || foreign => json_answer(200, text),
        _ if shop.fault == Fault::ArticleForEveryId => json_answer(200, &json!({})),
        _ => page(423, "noch nicht"),
    }
}
