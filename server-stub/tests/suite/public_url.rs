//! A server behind a proxy that serves it below a path. All its links and redirects lead through the proxy again.

use std::collections::BTreeSet;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse as _, Response};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use url::Url;

use crate::command_line::program::{Server, assert_fails, run};
use crate::plain_http;
use crate::waiting::until_ok;

const PREFIX: &str = "/content";

fn http() -> Client {
    plain_http::client()
}

/// Forwards requests like a proxy that strips the prefix. Returns 404 for all other paths.
async fn hand_on(client: Client, server: String, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().unwrap().as_str();
    let Some(path) = path.strip_prefix(PREFIX).filter(|path| path.starts_with('/')) else {
        return (StatusCode::NOT_FOUND, "the proxy serves nothing here").into_response();
    };
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let answer = client.request(parts.method, format!("{server}{path}")).headers(parts.headers).body(body);
    let answer = answer.send().await.unwrap();
    let (status, mut headers) = (answer.status(), answer.headers().clone());
    headers.remove(HeaderName::from_static("transfer-encoding"));
    let mut response = Response::new(Body::from(answer.bytes().await.unwrap()));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A server, and the proxy before it.
struct Proxied {
    server: Server,
    /// Public URL of the server, without a slash at its end.
    public_url: String,
    _proxy: JoinSet<()>,
    _folder: TempDir,
}

impl Proxied {
    async fn start() -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let public_url = format!("http://{}{PREFIX}", socket.local_addr().unwrap());
        let folder = TempDir::new().unwrap();
        // With a slash or without one, the address is the same.
        let server = Server::start(folder.path(), &["--demo", "--public-url", &format!("{public_url}/")]);
        let (client, base_url) = (http(), server.ready["base_url"].as_str().unwrap().to_owned());
        let router = Router::new().fallback(move |request: Request| hand_on(client.clone(), base_url.clone(), request));
        let mut proxy = JoinSet::new();
        proxy.spawn(async move { axum::serve(socket, router).await.unwrap() });
        Self { server, public_url, _proxy: proxy, _folder: folder }
    }

    fn account(&self, member: &str) -> &str {
        self.server.ready["accounts"][0][member].as_str().unwrap()
    }

    /// Returns a request to `reference`, which a response to a request to `from` contains.
    fn request(&self, method: &str, from: &Url, reference: &str) -> RequestBuilder {
        let url = from.join(reference).unwrap();
        assert!(url.as_str().starts_with(&format!("{}/", self.public_url)), "{reference} in {from} leads to {url}");
        http().request(method.parse().unwrap(), url).bearer_auth(self.account("api_key")).header("prefer", "wait=60")
    }

    /// Returns the public URL of a path.
    fn url(&self, path: &str) -> Url {
        Url::parse(&format!("{}{path}", self.public_url)).unwrap()
    }

    async fn get(&self, url: &Url) -> reqwest::Response {
        self.request("GET", url, "").send().await.unwrap()
    }

    async fn queue(&self, topic: &str) -> reqwest::Response {
        let order = json!({ "topic": topic, "website_id": self.account("website_id"), "target_word_count": 200 });
        let request = self.request("POST", &self.url("/api/v1/generate"), "");
        request.header("content-type", "application/json").body(order.to_string()).send().await.unwrap()
    }
}

async fn body(response: reqwest::Response) -> Value {
    assert!(response.status().is_success(), "{response:?}");
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

fn header(response: &reqwest::Response, name: &str) -> String {
    response.headers()[name].to_str().unwrap().to_owned()
}

/// Returns the values of this attribute.
fn attributes(html: &str, name: &str) -> BTreeSet<String> {
    let start = format!(" {name}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Requests all links of a page to its own host. Returns the links.
async fn follow_links(proxied: &Proxied, page: &Url, html: &str) -> BTreeSet<String> {
    let all = attributes(html, "href").into_iter().chain(attributes(html, "src"));
    let own: BTreeSet<_> = all.filter(|link| page.join(link).unwrap().origin() == page.origin()).collect();
    for link in &own {
        let mut response = proxied.request("GET", page, link).send().await.unwrap();
        if response.status() == 303 {
            let (from, location) = (response.url().clone(), header(&response, "location"));
            response = proxied.request("GET", &from, &location).send().await.unwrap();
        }
        assert_eq!(response.status(), 200, "{link} of {page}");
    }
    own
}

/// Queues an article and waits until it is public. Returns it.
async fn published(proxied: &Proxied) -> Value {
    let queued = proxied.queue("Keeping a rye starter alive").await;
    let (asked, location) = (queued.url().clone(), header(&queued, "location"));
    let job_id = body(queued).await["job_id"].clone();
    let job = body(proxied.request("GET", &asked, &location).send().await.unwrap()).await;
    assert_eq!((&job["job_id"], &job["status"]), (&job_id, &json!("completed")), "{location}");
    until_ok("the article is published", async || {
        let by_job = proxied.url(&format!("/api/v1/articles/{}", job_id.as_str().unwrap()));
        let response = proxied.get(&by_job).await;
        let canonical = header(&response, "content-location");
        let article = body(response).await;
        if article["status"] == "published" {
            assert_eq!(body(proxied.request("GET", &by_job, &canonical).send().await.unwrap()).await, article);
            return Ok(article);
        }
        Err(article)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn location_link_and_problems_follow_the_path() {
    let proxied = Proxied::start().await;
    let queued = proxied.queue("First").await;
    assert!(header(&queued, "location").starts_with("/content/api/v1/jobs/job_"), "{queued:?}");
    let newest = body(proxied.queue("Second").await).await["scheduled_post_id"].clone();
    let list = proxied.url("/api/v1/scheduled_posts?limit=1");
    let first = proxied.get(&list).await;
    let link = header(&first, "link");
    let next = link.strip_prefix('<').and_then(|link| link.split_once(">; rel=\"next\"")).unwrap().0;
    assert_eq!(body(first).await["items"][0]["id"], newest);
    let second = body(proxied.request("GET", &list, next).send().await.unwrap()).await;
    assert_eq!(second["items"][0]["job_id"], body(queued).await["job_id"]);
    let unknown = proxied.get(&proxied.url("/api/v1/jobs/job_unknown")).await;
    let problem: Value = serde_json::from_str(&unknown.text().await.unwrap()).unwrap();
    assert_eq!((&problem["status"], &problem["instance"]), (&json!(404), &json!("/content/api/v1/jobs/job_unknown")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_finds_the_article_its_form_and_the_way_back_below_the_path() {
    let proxied = Proxied::start().await;
    let article = published(&proxied).await;
    let website_id = proxied.account("website_id");
    let address = format!("{}/sites/{website_id}/{}", proxied.public_url, article["slug"].as_str().unwrap());
    assert_eq!(article["url"], json!(address));
    let page = Url::parse(&address).unwrap();
    let html = proxied.get(&page).await.text().await.unwrap();
    let links = follow_links(&proxied, &page, &html).await;
    let index = format!("/content/sites/{website_id}");
    for expected in ["/content/assets/site.css", "/content/assets/lead-form.js", &index] {
        assert!(links.contains(expected), "{expected} in {links:?}");
    }

    // The form, sent as a browser sends it.
    let action = attributes(&html, "action").into_iter().next().unwrap();
    let form = proxied.request("POST", &page, &action).header("accept", "text/html");
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    let form = form.header("origin", page.origin().ascii_serialization());
    let sent = form.body(format!("email=a%40example.com&page_url={address}&consent=on")).send().await.unwrap();
    assert_eq!(sent.status(), 202, "{action}");
    assert_eq!(header(&sent, "access-control-allow-origin"), page.origin().ascii_serialization());
    let sent_to = sent.url().clone();
    let links = follow_links(&proxied, &sent_to, &sent.text().await.unwrap()).await;
    assert!(links.contains(&index), "{links:?}");
    let leads = body(proxied.get(&proxied.url("/api/v1/leads")).await).await;
    assert_eq!(leads["items"][0]["source"]["page_url"], json!(address));

    // The index, and the messages of the server itself.
    let reference = format!("API reference: {}/docs\n", proxied.public_url);
    assert!(proxied.server.greeting.ends_with(&reference), "{}", proxied.server.greeting);
    for (path, link) in [
        (format!("/sites/{website_id}"), page.path()),
        ("/".to_owned(), "/content/docs"),
        ("/problems/queue_full".to_owned(), "/content/docs#problem-queue_full"),
        ("/docs".to_owned(), "problems/queue_full"),
    ] {
        let url = proxied.url(&path);
        let links = follow_links(&proxied, &url, &proxied.get(&url).await.text().await.unwrap()).await;
        assert!(links.contains(link), "{link} in {links:?}");
    }
    let missing = proxied.url("/sites/web_nothing");
    let html = proxied.get(&missing).await.text().await.unwrap();
    assert!(html.contains("Page not found"), "{html}");
    follow_links(&proxied, &missing, &html).await;
}

#[test]
fn what_cannot_be_a_public_address_is_refused_with_its_form() {
    let folder = TempDir::new().unwrap();
    for address in [
        "articles.example.com",
        "ftp://example.com",
        "https://example.com/content?a=b",
        "https://example.com/content#a",
        "https://user:word@example.com/",
        "https://example.com//other.example",
        "https://example.com/content//deeper",
    ] {
        let refused = run(folder.path(), &["serve", "--public-url", address, "--demo", "--listen", "127.0.0.1:0"]);
        assert_fails(&refused, 2, "https://example.com/content");
    }
}

#[test]
fn a_server_for_other_machines_needs_the_address_that_readers_use() {
    let folder = TempDir::new().unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8080", "[2001:db8::1]:80", "[::ffff:192.0.2.1]:80"] {
        let refused = run(folder.path(), &["serve", "--demo", "--listen", address]);
        assert_fails(&refused, 2, "such as --public-url https://articles.example.com");
        assert_fails(&refused, 2, address);
    }
    assert!(!folder.path().join(".contentgen").exists(), "nothing is created before the check");
    for address in ["127.0.0.1:0", "127.1.2.3:0", "[::ffff:127.0.0.1]:0"] {
        let server = Server::start(folder.path(), &["--demo", "--listen", address]);
        assert!(server.ready["base_url"].as_str().unwrap().starts_with("http://"), "{}", server.ready);
    }
    let public = ["--demo", "--listen", "0.0.0.0:0", "--public-url", "https://articles.example.com"];
    let server = Server::start(folder.path(), &public);
    assert!(server.greeting.contains("https://articles.example.com/docs"), "{}", server.greeting);
}
