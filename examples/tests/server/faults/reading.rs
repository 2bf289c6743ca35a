//! The calls of an application, and their results in a comparable form.

use std::time::Duration;

use contentgen_sdk::pagination::{Paged, Pages};
use contentgen_sdk::types::GenerateRequest;
use contentgen_sdk::{Client, Error, Response};
use serde::Serialize;
use serde_json::{Value, json};

/// Maximum number of pages. Every list of these tests has fewer.
const MOST_PAGES: usize = 100;

/// A call or a group of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Generates two articles at the same time, and waits for both.
    Generate,
    Articles,
    Leads,
    Posts,
    Websites,
    /// Reads a lead from the list by its id.
    Lead,
    /// Reads a lead that does not exist.
    UnknownLead,
    /// Cancels a job that has ended.
    Cancel,
    /// Lists the websites with an invalid key.
    WrongKey,
}

impl Call {
    /// All calls, in the order in which they are made.
    pub(super) const ALL: [Self; 9] = [
        Self::Generate,
        Self::Articles,
        Self::Leads,
        Self::Posts,
        Self::Websites,
        Self::Lead,
        Self::UnknownLead,
        Self::Cancel,
        Self::WrongKey,
    ];

    /// Returns true if the server may change the data by itself, for example by publishing an article.
    pub(super) fn may_change(self) -> bool {
        matches!(self, Self::Articles | Self::Posts)
    }
}

/// Input of the calls.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) website_id: String,
    pub(super) topics: [String; 2],
    pub(super) keys: [String; 2],
    pub(super) lead_id: String,
    /// A job that has ended.
    pub(super) job_id: String,
    pub(super) page_limit: u32,
}

/// Result of a call: the SDK's values, and the response bodies that it parsed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    pub(super) values: Vec<Value>,
    pub(super) bodies: Vec<Value>,
}

impl Read {
    pub(super) fn of<T: Serialize>(responses: &[Response<T>]) -> Self {
        let value = |response: &Response<T>| serde_json::to_value(&**response).expect("the SDK's types are JSON");
        let body = |response: &Response<T>| serde_json::from_slice(response.body()).expect("it was read as JSON");
        Self { values: responses.iter().map(value).collect(), bodies: responses.iter().map(body).collect() }
    }

    /// Returns the values that are compared: the items of a list, independent of its pages, or the values themselves.
    pub(super) fn told(&self) -> Vec<Value> {
        let items = |value: &Value| match value.get("items") {
            Some(Value::Array(items)) => items.clone(),
            _ => vec![value.clone()],
        };
        self.values.iter().flat_map(items).collect()
    }

    /// Returns true if the bodies contain all data of the values.
    pub(super) fn is_from_bodies(&self) -> bool {
        self.values.iter().zip(&self.bodies).all(|(value, body)| says(body, value))
    }
}

/// Returns true if a body contains all data of a value. The body may contain more.
fn says(body: &Value, value: &Value) -> bool {
    match (body, value) {
        (_, Value::Null) => true,
        (_, Value::Array(items)) if items.is_empty() => true,
        (_, Value::Object(members)) if members.is_empty() => true,
        (Value::Array(said), Value::Array(items)) => {
            said.len() == items.len() && said.iter().zip(items).all(|(said, item)| says(said, item))
        }
        (Value::Object(said), Value::Object(members)) => {
            members.iter().all(|(name, member)| says(said.get(name).unwrap_or(&Value::Null), member))
        }
        (Value::String(said), Value::String(text)) => said == text || is_same_time(said, text),
        (said, value) => said == value,
    }
}

/// Returns true if two texts are the same time, in any time zone.
fn is_same_time(one: &str, other: &str) -> bool {
    let time = |text: &str| serde_json::from_value::<Time>(json!(text)).ok();
    time(one).is_some_and(|one| time(other) == Some(one))
}

/// Time type of the SDK.
type Time = chrono::DateTime<chrono::Utc>;

impl Subject {
    pub(super) fn order(&self, number: usize) -> GenerateRequest {
        GenerateRequest::new()
            .topic(self.topics[number].as_str())
            .website_id(self.website_id.as_str())
            .target_word_count(200)
            .auto_publish(false)
            .metadata([("row", "7")])
    }

    pub(super) async fn call(&self, call: Call, client: &Client) -> Result<Read, Error> {
        match call {
            Call::Generate => {
                let (one, other) = tokio::join!(self.article(client, 0), self.article(client, 1));
                Ok(Read::of(&[one?, other?]))
            }
            Call::Articles => walk(client.list_articles().limit(self.page_limit).pages()).await,
            Call::Leads => walk(client.list_leads().limit(1).pages()).await,
            Call::Posts => walk(client.list_scheduled_posts().limit(self.page_limit).pages()).await,
            Call::Websites => walk(client.list_websites().limit(1).pages()).await,
            Call::Lead => Ok(Read::of(&[client.get_lead(&self.lead_id).send().await?])),
            Call::UnknownLead => Ok(Read::of(&[client.get_lead("nobody.at-all").send().await?])),
            Call::Cancel => Ok(Read::of(&[client.cancel_job(&self.job_id).send().await?])),
            Call::WrongKey => Ok(Read::of(&[client.list_websites().send().await?])),
        }
    }

    async fn article(&self, client: &Client, number: usize) -> Result<Response<contentgen_sdk::types::Article>, Error> {
        client
            .generate()
            .body(self.order(number))
            .idempotency_key(&*self.keys[number])
            .send_and_wait()
            .poll_interval(Duration::from_millis(30))
            .timeout(client.options().total_timeout)
            .await
    }
}

/// Reads all pages of a list.
async fn walk<P: Paged + Serialize>(mut pages: Pages<P>) -> Result<Read, Error> {
    let mut read = Vec::new();
    while let Some(page) = pages.next().await {
        read.push(page?);
        assert!(read.len() <= MOST_PAGES, "the walk has no end");
    }
    Ok(Read::of(&read))
}
