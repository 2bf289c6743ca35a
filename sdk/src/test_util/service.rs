//! A stand-in for the service.

use std::time::Duration;

use serde_json::{Value, json};
use wiremock::{Mock, MockServer};

use super::answers::Answers;
use super::response::{MockResponse, ReceivedRequest};
use super::{operation, sample};
use crate::generated::Client;
use crate::generated::types::{Article, ArticleSummary, Job, Lead, ScheduledPost, Website};
use crate::options::RequestOptions;

/// A server on a free loopback port that answers what it is told to, and 404 with a problem otherwise.
///
/// What it is told last counts, so that a job can go on while it is waited for.
#[derive(Debug)]
pub struct MockService {
    server: MockServer,
    answers: Answers,
}

impl MockService {
    /// Starts a service that knows nothing yet.
    pub async fn start() -> Self {
        let service = Self { server: MockServer::start().await, answers: Answers::default() };
        let mock = Mock::given(wiremock::matchers::any()).respond_with(service.answers.clone());
        mock.mount(&service.server).await;
        service
    }

    /// A client for it, which pauses a millisecond between attempts.
    pub fn client(&self) -> Client {
        let pause = Duration::from_millis(1);
        let builder = Client::builder().base_url(self.base_url()).api_key("key_for_tests");
        let client = builder.options(RequestOptions::default().backoff(pause, pause)).build();
        client.expect("the configuration is complete")
    }

    /// Its base URL.
    pub fn base_url(&self) -> String {
        self.server.uri()
    }

    /// `generate` queues a job of this id.
    pub fn set_queued_job(&self, job_id: &str) {
        self.answers.put("generate", None, 202, &sample::queued_job(job_id));
    }

    /// `get_job` and `cancel_job` know this job.
    pub fn add_job(&self, job: &Job) {
        self.answers.put("get_job", Some(&job.job_id), 200, job);
        self.answers.put("cancel_job", Some(&job.job_id), 200, job);
    }

    /// `get_article` knows this article by its id.
    ///
    /// # Panics
    ///
    /// If the article has no id.
    pub fn add_article(&self, article: &Article) {
        let id = article.id.as_deref().expect("`article.id` must be set");
        self.answers.put("get_article", Some(id), 200, article);
    }

    /// `list_articles` answers these on one page.
    pub fn set_articles(&self, articles: &[ArticleSummary]) {
        self.answers.put("list_articles", None, 200, &json!({ "items": articles }));
    }

    /// `list_leads` answers these on one page, and `get_lead` knows each.
    pub fn set_leads(&self, leads: &[Lead]) {
        self.answers.put("list_leads", None, 200, &json!({ "items": leads }));
        for lead in leads {
            self.answers.put("get_lead", Some(&lead.id), 200, lead);
        }
    }

    /// `list_websites` answers these on one page.
    pub fn set_websites(&self, websites: &[Website]) {
        self.answers.put("list_websites", None, 200, &json!({ "items": websites }));
    }

    /// `capture_lead` takes the lead forms of this website.
    pub fn accept_leads(&self, website_id: &str) {
        self.answers.put("capture_lead", Some(website_id), 202, &json!({ "accepted": true }));
    }

    /// `list_scheduled_posts` answers these on one page, and `get_scheduled_post` knows each.
    pub fn set_scheduled_posts(&self, posts: &[ScheduledPost]) {
        self.answers.put("list_scheduled_posts", None, 200, &json!({ "items": posts }));
        for post in posts {
            self.answers.put("get_scheduled_post", Some(&post.id), 200, post);
        }
    }

    /// An operation fails this often, with a status and a problem's code, and then answers as it was told to.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn fail_first(&self, operation: &'static str, times: u32, status: u16, code: &str) {
        known(operation);
        self.answers.fail(operation, times, status, code);
    }

    /// An operation answers with this from now on, where it takes an id for this one. That of a list, and of `generate`, is `None`.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn respond(&self, operation: &'static str, id: Option<&str>, response: MockResponse) {
        known(operation);
        self.answers.set(operation, id, response.into_template());
    }

    /// An operation answers with this so often, whatever it is asked for, and then as it was told to.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn respond_first(&self, operation: &'static str, times: u32, response: MockResponse) {
        known(operation);
        self.answers.first(operation, times, response.into_template());
    }

    /// How often an operation was called, each attempt counted.
    pub async fn calls_of(&self, operation: &str) -> usize {
        self.requests_of(operation).await.len()
    }

    /// The JSON bodies that an operation was called with; null where there was none.
    pub async fn bodies_of(&self, operation: &str) -> Vec<Value> {
        self.requests_of(operation).await.iter().map(ReceivedRequest::json).collect()
    }

    /// The requests that were made of an operation, each attempt counted, in the order of their arrival.
    pub async fn requests_of(&self, operation: &str) -> Vec<ReceivedRequest> {
        let mut requests = self.requests().await;
        requests.retain(|request| request.operation == Some(operation));
        requests
    }

    /// All requests, also those that are none of an operation, in the order of their arrival.
    pub async fn requests(&self) -> Vec<ReceivedRequest> {
        let requests = self.server.received_requests().await.unwrap_or_default();
        requests.into_iter().map(ReceivedRequest::of).collect()
    }
}

/// Refuses what is no operation.
fn known(operation: &str) {
    assert!(operation::is_known(operation), "there is no operation {operation:?}; use its name in the document");
}
