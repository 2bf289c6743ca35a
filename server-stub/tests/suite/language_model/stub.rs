//! An endpoint with the responses of a test, and drafts as a good model would write them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use contentgen_server_stub::domain::language_model::ModelKey;
use contentgen_server_stub::domain::language_model::ModelUsage;
use contentgen_server_stub::domain::written_article::WrittenArticle;
use contentgen_server_stub::generation::model::{ModelSettings, ModelWriter, Provider};
use contentgen_server_stub::generation::{
    ArticleBrief, ArticleDraft, ArticleGenerator as _, GenerationError, OfflineWriter, UsageMeter, write_article,
};
use contentgen_server_stub::randomness::SystemRandomness;
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::writer::briefs::brief_about;

/// Key that no message and no log may show.
pub(super) const KEY: &str = "sk-planted-4711-secret";

/// A stub endpoint.
pub(super) struct Stub(MockServer);

impl Stub {
    /// Responds to the n-th request (from 0) with the result of `respond`.
    pub(super) async fn start(respond: impl Fn(usize, &Value) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        let server = MockServer::start().await;
        let count = AtomicUsize::new(0);
        let respond = move |request: &Request| {
            let body = serde_json::from_slice(&request.body).unwrap_or_default();
            respond(count.fetch_add(1, Ordering::SeqCst), &body)
        };
        Mock::given(any()).respond_with(respond).mount(&server).await;
        Self(server)
    }

    /// Responds to each request with the same draft.
    pub(super) async fn writing(draft: &ArticleDraft) -> Self {
        let text = serde_json::to_string(draft).unwrap();
        Self::start(move |_, _| chat(&text)).await
    }

    pub(super) fn url(&self) -> String {
        format!("{}/v1", self.0.uri())
    }

    pub(super) fn settings(&self, provider: Provider) -> ModelSettings {
        ModelSettings {
            key: ModelKey::parse(KEY),
            first_pause: Duration::from_millis(2),
            timeout: Duration::from_secs(20),
            ..ModelSettings::new(provider, self.url().parse().unwrap(), "test-model")
        }
    }

    pub(super) fn writer(&self) -> ModelWriter {
        writer(self.settings(Provider::OpenAi))
    }

    /// Returns the bodies of all requests so far.
    pub(super) async fn bodies(&self) -> Vec<Value> {
        let requests = self.0.received_requests().await.unwrap();
        requests.iter().map(|request| serde_json::from_slice(&request.body).unwrap_or_default()).collect()
    }

    /// Returns path and headers of all requests so far.
    pub(super) async fn heads(&self) -> Vec<(String, wiremock::http::HeaderMap)> {
        let requests = self.0.received_requests().await.unwrap();
        requests.iter().map(|request| (request.url.path().to_owned(), request.headers.clone())).collect()
    }
}

pub(super) fn writer(settings: ModelSettings) -> ModelWriter {
    ModelWriter::new(settings, Arc::new(SystemRandomness)).unwrap()
}

/// Returns a brief for a short article.
pub(super) fn brief() -> ArticleBrief {
    ArticleBrief { target_word_count: 300, ..brief_about("Keeping a rye starter alive") }
}

/// Returns the draft of a good model. It is the offline writer's draft.
pub(super) async fn draft(brief: &ArticleBrief) -> ArticleDraft {
    OfflineWriter.draft(brief).await.unwrap()
}

/// Writes an article. Returns the result and the usage.
pub(super) async fn write(
    writer: &ModelWriter,
    brief: &ArticleBrief,
) -> (Result<WrittenArticle, GenerationError>, ModelUsage) {
    let meter = UsageMeter::default();
    let metered = writer.metered(&meter).unwrap();
    let written = write_article(&*metered, brief).await;
    (written, meter.report().1)
}

/// Returns the envelope of a chat completion.
pub(super) fn envelope(content: &Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "test-model",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": content }, "finish_reason": finish }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500 },
    })
}

/// Returns a chat completion with `text`.
pub(super) fn chat(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(envelope(&text.into(), "stop"))
}

/// Returns an error in OpenAI's format.
pub(super) fn error(status: u16, code: &str, message: &str) -> ResponseTemplate {
    let body = json!({ "error": { "message": message, "type": "invalid_request_error", "code": code } });
    ResponseTemplate::new(status).set_body_json(body)
}

/// Returns a stream of events.
pub(super) fn stream(events: &[Value]) -> ResponseTemplate {
    let lines = events.iter().map(ToString::to_string).chain(["[DONE]".to_owned()]);
    let text = lines.flat_map(|event| ["data: ".to_owned(), event, "\n\n".to_owned()]).collect::<String>();
    ResponseTemplate::new(200).set_body_raw(text, "text/event-stream")
}
