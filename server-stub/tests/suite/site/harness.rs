//! A demonstration whose website publishes the articles of a test, and readers of it.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::account::WebsiteStatus;
use contentgen_server_stub::server::{Database, Running, Settings};
use contentgen_server_stub::storage::{SecretKey, SecretKeySource};
use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::plain_http;
use crate::postgres::Schema;
use crate::waiting::until_ok;

/// Returns settings of a demonstration on SQLite and, if the environment names it, on PostgreSQL. The schema exists as long as its
/// guard.
pub(super) fn on_each_database() -> Vec<(Settings, Option<Schema>)> {
    let mut all = vec![(Settings::demo(), None)];
    if let Some(schema) = Schema::new() {
        let key = SecretKey::parse("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").unwrap();
        let database = Database::At(schema.address().to_owned());
        let settings = Settings { database, secret_key: Some(SecretKeySource::Given(key)), ..Settings::demo() };
        all.push((settings, Some(schema)));
    }
    all
}

pub(super) fn http() -> Client {
    plain_http::following_client()
}

pub(super) async fn get(running: &Running, path: &str) -> Response {
    http().get(format!("{}{path}", running.base_url().unwrap())).send().await.unwrap()
}

/// Requests a path with conditions on a cached representation.
pub(super) async fn get_if(running: &Running, path: &str, conditions: &[(&str, &str)]) -> Response {
    let request = http().get(format!("{}{path}", running.base_url().unwrap()));
    let request = conditions.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    request.send().await.unwrap()
}

pub(super) async fn api(running: &Running, path: &str, body: Option<Value>) -> Value {
    let url = format!("{}{path}", running.base_url().unwrap());
    let request = match body {
        Some(body) => http().post(url).header("content-type", "application/json").body(body.to_string()),
        None => http().get(url).header("prefer", "wait=60"),
    };
    let response = request.bearer_auth(&running.accounts()[0].api_key).send().await.unwrap();
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Queues an article for the demonstration's website and waits until it is published. Returns the article.
pub(super) async fn published(running: &Running, topic: &str) -> Value {
    let website_id = running.accounts()[0].website_id.clone();
    published_on(running, &json!({ "topic": topic, "website_id": website_id, "target_word_count": 200 })).await
}

/// Queues an article with this request and waits until it is published. Returns the article.
pub(super) async fn published_on(running: &Running, order: &Value) -> Value {
    let job_id = api(running, "/api/v1/generate", Some(order.clone())).await["job_id"].as_str().unwrap().to_owned();
    while api(running, &format!("/api/v1/jobs/{job_id}"), None).await["done"] != true {}
    until_ok("the article is published", async || {
        let article = api(running, &format!("/api/v1/articles/{job_id}"), None).await;
        assert_ne!(article["code"], "generation_failed", "{article}");
        if article["status"] == "published" { Ok(article) } else { Err(article) }
    })
    .await
}

/// Creates another website of the account.
pub(super) async fn website(running: &Running, name: &str, settings: WebsiteSettings) -> String {
    let account = running.app().account(&running.accounts()[0].name).await.unwrap();
    let settings = WebsiteSettings { name: name.to_owned(), url: "https://bold.example".to_owned(), ..settings };
    running.app().create_website(&account, settings, WebsiteStatus::Active).await.unwrap().website_id
}

pub(super) fn path_of(running: &Running, article: &Value) -> String {
    article["url"].as_str().unwrap().strip_prefix(running.base_url().unwrap()).unwrap().to_owned()
}
