//! A mock of the service.

use std::time::Duration;

use serde_json::{Value, json};
use wiremock::{Mock, MockServer};

use super::answers::Answers;
use super::response::{MockResponse, ReceivedRequest};
use super::{operation, sample};
use crate::client::Client;
use crate::generated::types::{Article, ArticleSummary, Job, Lead, ScheduledPost, Website};
use crate::options::RequestOptions;

/// A server on a free loopback port with configurable responses. Without one it answers 404 with a problem.
///
/// The latest configuration applies, so a job can progress during a wait.
#[derive(Debug)]
pub struct MockService {
    server: MockServer,
    answers: Answers,
}

impl MockService {
    /// Starts a service without any responses.
    pub async fn start() -> Self {
        let service = Self { server: MockServer::start().await, answers: Answers::default() };
        let mock = Mock::given(wiremock::matchers::any()).respond_with(service.answers.clone());
        mock.mount(&service.server).await;
        service
    }

    /// Returns a client for this service, with a delay of a millisecond between attempts.
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

    /// Makes `generate` queue a job of this id.
    pub fn set_queued_job(&self, job_id: &str) {
        self.answers.put("generate", None, 202, &sample::queued_job(job_id));
    }

    /// Makes `get_job` and `cancel_job` return this job.
    pub fn add_job(&self, job: &Job) {
        self.answers.put("get_job", Some(&job.job_id), 200, job);
        self.answers.put("cancel_job", Some(&job.job_id), 200, job);
    }

    /// Makes `get_article` return this article for its id.
    ///
    /// # Panics
    ///
    /// If the article has no id.
    pub fn add_article(&self, article: &Article) {
        let id = article.id.as_deref().expect("`article.id` must be set");
        self.answers.put("get_article", Some(id), 200, article);
    }

    /// Makes `list_articles` return these on one page.
    pub fn set_articles(&self, articles: &[ArticleSummary]) {
        self.answers.put("list_articles", None, 200, &json!({ "items": articles }));
    }

    /// Makes `list_leads` return these on one page, and `get_lead` each of them.
    pub fn set_leads(&self, leads: &[Lead]) {
        self.answers.put("list_leads", None, 200, &json!({ "items": leads }));
        for lead in leads {
            self.answers.put("get_lead", Some(&lead.id), 200, lead);
        }
    }

    /// Makes `list_websites` return these on one page.
    pub fn set_websites(&self, websites: &[Website]) {
        self.answers.put("list_websites", None, 200, &json!({ "items": websites }));
    }

    /// Makes `capture_lead` accept the lead forms of this website.
    pub fn accept_leads(&self, website_id: &str) {
        self.answers.put("capture_lead", Some(website_id), 202, &json!({ "accepted": true }));
    }

    /// Makes `list_scheduled_posts` return these on one page, and `get_scheduled_post` each of them.
    pub fn set_scheduled_posts(&self, posts: &[ScheduledPost]) {
        self.answers.put("list_scheduled_posts", None, 200, &json!({ "items": posts }));
        for post in posts {
            self.answers.put("get_scheduled_post", Some(&post.id), 200, post);
        }
    }

    /// Makes an operation fail this often, with a status and a problem code. Then its configured response applies again.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn fail_first(&self, operation: &'static str, times: u32, status: u16, code: &str) {
        known(operation);
        self.answers.fail(operation, times, status, code);
    }

    /// Sets the response of an operation from now on, for one id if the operation takes one. The id of lists and of `generate` is `None`.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn respond(&self, operation: &'static str, id: Option<&str>, response: MockResponse) {
        known(operation);
        self.answers.set(operation, id, response.into_template());
    }

    /// Makes an operation return this response a number of times, for any id. Then its configured response applies again.
    ///
    /// # Panics
    ///
    /// If there is no operation of this name.
    pub fn respond_first(&self, operation: &'static str, times: u32, response: MockResponse) {
        known(operation);
        self.answers.first(operation, times, response.into_template());
    }

    /// Number of calls of an operation, counting each attempt.
    pub async fn calls_of(&self, operation: &str) -> usize {
        self.requests_of(operation).await.len()
    }

    /// JSON bodies of the requests of an operation; null if a request had none.
    pub async fn bodies_of(&self, operation: &str) -> Vec<Value> {
        self.requests_of(operation).await.iter().map(ReceivedRequest::json).collect()
    }

    /// Requests of an operation in order of arrival, one for each attempt.
    pub async fn requests_of(&self, operation: &str) -> Vec<ReceivedRequest> {
        let mut requests = self.requests().await;
        requests.retain(|request| request.operation == Some(operation));
        requests
    }

    /// All requests in order of arrival, including those that match no operation.
    pub async fn requests(&self) -> Vec<ReceivedRequest> {
        let requests = self.server.received_requests().await.unwrap_or_default();
        requests.into_iter().map(ReceivedRequest::of).collect()
    }
}

/// Panics if there is no operation of this name.
fn known(operation: &str) {
    assert!(operation::is_known(operation), "there is no operation {operation:?}; use its name in the document");
}
