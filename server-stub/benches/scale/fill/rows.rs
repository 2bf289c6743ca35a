//! The rows of each table by their numbers. Each article has a job and a post. Each article and lead has an event with a delivery. Every
//! two deliveries have five attempts together.

use std::time::Duration;

use contentgen_server_stub::domain::article::{Article, ArticleStatus};
use contentgen_server_stub::domain::event::Event;
use contentgen_server_stub::domain::id::Kind;
use contentgen_server_stub::domain::lead::Lead;
use contentgen_server_stub::domain::personal::Personal;
use serde::Serialize;
use serde_json::json;

use crate::population::{Population, mix};
use crate::shapes;

/// Deliveries that wait for another attempt. The number does not depend on the size of the database.
const WAITING: u64 = 1000;
/// Time until the first waiting delivery is due, longer than any measurement.
const DUE_IN: Duration = Duration::from_hours(24);

/// A value of a row.
pub(super) enum Value {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$(Value::from($value)),*] };
}

/// Serialises a value. Types of the service always convert to JSON.
fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a type of the service is JSON")
}

/// A table, and the function that creates its rows.
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static str,
    /// Rows for every ten articles. For deliveries and attempts: for each endpoint.
    rows_of_ten: u64,
    is_for_each_endpoint: bool,
    pub(super) row: fn(&Population, u64) -> Vec<Value>,
}

impl Table {
    /// Returns the number of rows of the table.
    pub(super) fn rows(&self, population: &Population) -> u64 {
        let endpoints = if self.is_for_each_endpoint { population.endpoints } else { 1 };
        let rows = population.size * self.rows_of_ten / 10 * endpoints;
        if self.name == "delivery_queue" { rows.min(WAITING) } else { rows }
    }
}

/// Returns the number of rows of all tables.
pub(super) fn rows_of_all(population: &Population) -> u64 {
    TABLES.iter().map(|table| table.rows(population)).sum()
}

/// All tables that grow, in the order in which their rows refer to each other.
pub(super) const TABLES: [Table; 9] = [
    Table {
        name: "jobs",
        columns: "id, account_id, website_id, scheduled_post_id, request, status, progress, article_id, attempts, \
                  deadline_at, expires_at, created_at, started_at, finished_at",
        rows_of_ten: 10,
        is_for_each_endpoint: false,
        row: job,
    },
    Table {
        name: "scheduled_posts",
        columns: "id, account_id, website_id, job_id, article_id, topic, status, published_at, auto_publish, attempts, \
                  error, created_at, updated_at",
        rows_of_ten: 10,
        is_for_each_endpoint: false,
        row: post,
    },
    Table {
        name: "articles",
        columns: "id, account_id, website_id, job_id, status, slug, created_at, updated_at, etag, summary, body, \
                  search_text",
        rows_of_ten: 10,
        is_for_each_endpoint: false,
        row: article,
    },
    Table {
        name: "leads",
        columns: "id, account_id, website_id, article_id, identity, captured_at, updated_at, body, search_text",
        rows_of_ten: 10,
        is_for_each_endpoint: false,
        row: lead,
    },
    Table {
        name: "events",
        columns: "id, account_id, website_id, type, object_id, created_at, body",
        rows_of_ten: 20,
        is_for_each_endpoint: false,
        row: event,
    },
    Table {
        name: "deliveries",
        columns: "id, event_id, endpoint_id, status, attempts, created_at",
        rows_of_ten: 20,
        is_for_each_endpoint: true,
        row: delivery,
    },
    Table {
        name: "delivery_queue",
        columns: "delivery_id, endpoint_id, run_at, attempts",
        rows_of_ten: 20,
        is_for_each_endpoint: true,
        row: waiting_delivery,
    },
    Table {
        name: "attempts",
        columns: "delivery_id, number, kind, started_at, duration_ms, request_headers, response_status, response_head, \
                  response_headers",
        rows_of_ten: 50,
        is_for_each_endpoint: true,
        row: attempt,
    },
    Table {
        name: "idempotency_keys",
        columns: "account_id, website_id, operation, key, fingerprint, job_id, created_at, body",
        rows_of_ten: 1,
        is_for_each_endpoint: false,
        row: idempotency_key,
    },
];

fn job(population: &Population, number: u64) -> Vec<Value> {
    let at = population.made_at(number).millis();
    row![
        population.id(Kind::Job, number),
        population.owner(number).account_id.as_str(),
        population.website(number),
        population.id(Kind::Post, number),
        to_json(&shapes::request(number)),
        "completed",
        100,
        population.id(Kind::Article, number),
        1,
        at + 1000,
        at + 1000,
        at,
        at,
        at,
    ]
}

/// Returns a post. One of 200 failed.
fn post(population: &Population, number: u64) -> Vec<Value> {
    let at = population.made_at(number).millis();
    let has_failed = (mix(number) >> 16).is_multiple_of(200);
    let error = json!({ "code": "publish_failed", "message": "It was refused.", "retryable": false }).to_string();
    row![
        population.id(Kind::Post, number),
        population.owner(number).account_id.as_str(),
        population.website(number),
        population.id(Kind::Job, number),
        population.id(Kind::Article, number),
        shapes::request(number).topic,
        if has_failed { "failed" } else { "published" },
        (!has_failed).then_some(at),
        1,
        1,
        has_failed.then_some(error),
        at,
        at,
    ]
}

/// Returns an article: usually published, one of 20 a draft, one of 1000 unpublished.
fn stored_article(population: &Population, number: u64) -> Article {
    let (id, job_id) = (population.id(Kind::Article, number), population.id(Kind::Job, number));
    let at = population.made_at(number);
    let mut article = shapes::article(number, id, job_id, population.website(number), at);
    let spread = mix(number) >> 16;
    if spread.is_multiple_of(20) {
        article.status = ArticleStatus::Draft;
        return article;
    }
    let url = shapes::url(&article);
    let mut article = article.published(url, at);
    if spread % 1000 == 1 {
        article.status = ArticleStatus::Archived;
    }
    article
}

fn article(population: &Population, number: u64) -> Vec<Value> {
    let article = stored_article(population, number);
    row![
        article.id.as_str(),
        population.owner(number).account_id.as_str(),
        article.website_id.as_str(),
        article.job_id.as_deref(),
        article.status.as_str(),
        article.content.slug.as_str(),
        article.created_at.millis(),
        article.updated_at.millis(),
        format!("\"{:032x}\"", mix(number)),
        to_json(&article.summary()),
        to_json(&article),
        article.search_text(),
    ]
}

/// Returns a lead. Two of three name an article.
fn stored_lead(population: &Population, number: u64) -> Lead {
    let article_id = (!number.is_multiple_of(3)).then(|| population.id(Kind::Article, number));
    let whose = (population.owner(number), population.website(number));
    shapes::lead(number, population.id(Kind::Lead, number), whose, article_id, population.made_at(number))
}

fn lead(population: &Population, number: u64) -> Vec<Value> {
    let lead = stored_lead(population, number);
    let identity = lead.identity();
    let (body, search_text) = (to_json(&lead), lead.search_text().into_inner());
    row![
        lead.id,
        lead.account_id,
        lead.website_id,
        lead.article_id,
        identity.map(Personal::into_inner),
        lead.captured_at.millis(),
        lead.updated_at.millis(),
        body,
        search_text,
    ]
}

/// Returns an event. Leads and articles alternate.
fn event(population: &Population, number: u64) -> Vec<Value> {
    let (id, at, object) = (population.id(Kind::Event, number), population.event_at(number), number / 2);
    let event = if number.is_multiple_of(2) {
        Event::lead_captured(id, &stored_lead(population, object), None)
    } else {
        let (article, post_id) = (stored_article(population, object), population.id(Kind::Post, object));
        Event::article_published(id, &population.owner(object).account_id, &article, &post_id, at)
    };
    let mut row =
        row![event.id, event.account_id, event.website_id, event.event_type.as_str(), event.object_id, at.millis(),];
    row.push(Value::Bytes(event.body.to_vec()));
    row
}

/// Returns a delivery. Deliveries of one event to each endpoint follow each other. One of 200 was given up; the newest are waiting.
fn delivery(population: &Population, number: u64) -> Vec<Value> {
    let event = number / population.endpoints;
    row![
        population.id(Kind::Delivery, number),
        population.id(Kind::Event, event),
        endpoint_of(population, number),
        if number >= first_waiting(population) {
            "pending"
        } else if (mix(number) >> 16).is_multiple_of(200) {
            "exhausted"
        } else {
            "succeeded"
        },
        attempts_of(number),
        population.event_at(event).millis(),
    ]
}

/// Returns the row in the queue of one of the newest deliveries. They are due one second after another.
fn waiting_delivery(population: &Population, place: u64) -> Vec<Value> {
    let number = first_waiting(population) + place;
    row![
        population.id(Kind::Delivery, number),
        endpoint_of(population, number),
        population.now.plus(DUE_IN + Duration::from_secs(place)).millis(),
        attempts_of(number),
    ]
}

fn endpoint_of(population: &Population, delivery: u64) -> &str {
    let (event, endpoint) = (delivery / population.endpoints, delivery % population.endpoints);
    &population.owner(event / 2).endpoint_ids[usize::try_from(endpoint).unwrap_or_default()]
}

const fn first_waiting(population: &Population) -> u64 {
    (2 * population.size * population.endpoints).saturating_sub(WAITING)
}

const fn attempts_of(delivery: u64) -> i64 {
    if delivery.is_multiple_of(2) { 1 } else { 4 }
}

/// Returns an attempt. Every second delivery succeeded at once, the others at the fourth attempt.
fn attempt(population: &Population, number: u64) -> Vec<Value> {
    let (pair, place) = (number / 5, number % 5);
    let (delivery, attempt) = if place == 0 { (2 * pair, 1) } else { (2 * pair + 1, place.cast_signed()) };
    let is_last = place.is_multiple_of(4);
    row![
        population.id(Kind::Delivery, delivery),
        attempt,
        "scheduled",
        population.event_at(delivery / population.endpoints).millis() + attempt,
        35,
        r#"[["content-type","application/json"],["user-agent","contentgen"]]"#,
        if is_last { 200 } else { 503 },
        if is_last { "ok" } else { "please come again" },
        r#"[["content-type","text/plain"],["server","receiver"]]"#,
    ]
}

fn idempotency_key(population: &Population, number: u64) -> Vec<Value> {
    let job = population.size - 1 - number;
    let body = json!({ "job_id": population.id(Kind::Job, job), "status": "queued" }).to_string();
    let owner = population.owner(job).account_id.as_str();
    let mut row = row![owner, population.website(job), "generate", format!("key-{:016x}", mix(job))];
    row.push(Value::Bytes(mix(job).to_be_bytes().repeat(4)));
    row.extend(row![population.id(Kind::Job, job), population.now.millis() - 1000]);
    row.push(Value::Bytes(body.into_bytes()));
    row
}
