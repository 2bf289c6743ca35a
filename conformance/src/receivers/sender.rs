//! The suite as a sender: events from the document's examples, their signatures, and requests to the receiver.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use url::{Position, Url};

use crate::check::signature::{authenticated, key_of, sign};
use crate::check::{Context, Credential, Exchange, Halt, Request};
use crate::runner::{SetUpError, unix_milliseconds, unix_seconds};
use crate::spec::{Document, hexadecimal};

/// Returns the number of effects of an event by its id, or one clause that says why that is not known.
pub type AskEffects = Arc<dyn Fn(String) -> BoxFuture<'static, Result<u64, String>> + Send + Sync>;

/// Possible times for an answer.
const ANSWER_WITHIN: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_mins(5);
/// Minimum length of a secret's key in bytes, by Standard Webhooks.
const SHORTEST_KEY: usize = 24;
/// Time for the effect of an event to happen after the answer, time in which a second one would happen, and pause between two questions.
const EFFECT_WITHIN: Duration = Duration::from_secs(10);
const SECOND_EFFECT_WITHIN: Duration = Duration::from_secs(2);
const ASK_EVERY: Duration = Duration::from_millis(100);

/// Sends events of the service to one receiver.
#[derive(Clone)]
pub struct Sender {
    origin: String,
    path: String,
    secret: String,
    key: Vec<u8>,
    answer_within: Duration,
    effects: Option<AskEffects>,
    /// The examples of the document, by type.
    examples: Arc<Vec<(String, Value)>>,
}

impl fmt::Debug for Sender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Sender").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// An event before it is signed.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) id: String,
    /// Time of this attempt in Unix seconds, as in `webhook-timestamp`.
    pub(super) at: String,
    pub(super) body: Vec<u8>,
}

impl Sender {
    /// Returns a sender to the receiver at `url`, which knows `secret` (`whsec_` and the base64 of at least 24 bytes) and must answer
    /// within `answer_within`.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the URL or the secret. It does not contain the secret.
    pub fn new(
        url: &str,
        secret: String,
        answer_within: Duration,
        effects: Option<AskEffects>,
    ) -> Result<Self, SetUpError> {
        let (origin, path) = split(url)?;
        if !ANSWER_WITHIN.contains(&answer_within) {
            return Err(SetUpError::Configuration("--answer-within must be from 1s to 5m".to_owned()));
        }
        let key = key_of(&secret).filter(|key| key.len() >= SHORTEST_KEY).ok_or_else(|| {
            SetUpError::Configuration(format!(
                "the secret of the webhooks must be whsec_ and the base64 of at least {SHORTEST_KEY} bytes, as the dashboard shows it"
            ))
        })?;
        let raw: Value = serde_saphyr::from_str(Document::embedded_text())
            .map_err(|error| SetUpError::Configuration(format!("the built-in document cannot be read: {error}")))?;
        let examples = raw["x-webhooks"].as_object().into_iter().flatten().map(|(event_type, hook)| {
            (event_type.clone(), hook["post"]["requestBody"]["content"]["application/json"]["example"].clone())
        });
        let examples = Arc::new(examples.filter(|(_, example)| example.is_object()).collect());
        Ok(Self { origin, path, secret, key, answer_within, effects, examples })
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the host and port, as in the header `Host`.
    pub(super) fn host(&self) -> &str {
        self.origin.split_once("://").map_or("", |(_, host)| host)
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    pub(super) fn answer_within(&self) -> Duration {
        self.answer_within
    }

    pub(super) fn knows_effects(&self) -> bool {
        self.effects.is_some()
    }

    /// Returns the types of events that the document lists. The entries for any and for unknown types have no dot.
    pub(super) fn types(&self) -> Vec<String> {
        self.examples.iter().map(|(event_type, _)| event_type.clone()).filter(|name| name.contains('.')).collect()
    }

    /// Returns the document's example of this type with a new id and the current time.
    pub(super) fn example(&self, context: &Context, event_type: &str) -> Value {
        let found = self.examples.iter().find(|(known, _)| known == event_type);
        let mut event = found.map_or_else(|| json!({ "data": {} }), |(_, example)| example.clone());
        event["id"] = json!(context.fresh("evt"));
        // Each event is about another object.
        for object in event["data"].as_object_mut().into_iter().flat_map(|data| data.values_mut()) {
            for name in ["id", "job_id"].into_iter().filter(|name| object[*name].is_string()).collect::<Vec<_>>() {
                object[name] = json!(context.fresh(name));
            }
        }
        event["type"] = json!(event_type);
        event["timestamp"] = json!(Event::time(0));
        event["api_version"] = json!("v1");
        event
    }

    /// Returns an event about a new lead.
    pub(super) fn lead(&self, context: &Context) -> Event {
        Event::new(&self.example(context, "lead.captured"))
    }

    pub(super) fn signature(&self, event: &Event) -> String {
        sign(&self.key, &event.id, &event.at, &event.body)
    }

    /// Returns a signature over the body without id and time.
    pub(super) fn alone(&self, body: &[u8]) -> String {
        authenticated(&self.key, &[body])
    }

    /// Returns the signature with hexadecimal digits instead of base64.
    pub(super) fn hexadecimal(&self, event: &Event) -> String {
        let bytes = STANDARD.decode(self.signature(event).trim_start_matches("v1,")).unwrap_or_default();
        format!("v1,{}", hexadecimal(&bytes))
    }

    /// Returns a request with a signed test event.
    pub(super) fn test(&self) -> Request {
        let event = json!({
            "id": format!("evt-{}", unix_milliseconds()), "type": "hook.test", "timestamp": Event::time(0), "api_version": "v1", "data": {},
        });
        let event = Event::new(&event);
        self.request(&event, &self.signature(&event))
    }

    /// Returns a POST without the headers of a webhook.
    pub(super) fn unsigned(&self) -> Request {
        Request::outside("POST", &self.path).by(Credential::None).bytes("application/json", b"{}".to_vec())
    }

    /// Returns the request for the event with this header `webhook-signature`.
    pub(super) fn request(&self, event: &Event, signature: &str) -> Request {
        let request = Request::outside("POST", &self.path).by(Credential::None);
        let request = request.header("webhook-id", &event.id).header("webhook-timestamp", &event.at);
        request.header("webhook-signature", signature).bytes("application/json", event.body.clone())
    }

    /// Sends the event with a right signature.
    pub(super) async fn send(&self, context: &Context, event: &Event) -> Result<Arc<Exchange>, Halt> {
        context.send(self.request(event, &self.signature(event))).await
    }

    /// Returns the number of effects that the event has had.
    pub(super) async fn effects(&self, context: &Context, id: &str) -> Result<u64, Halt> {
        let ask = self.effects.as_ref().ok_or_else(|| Halt::Error("no command counts effects".to_owned()))?;
        context.waiting(ask(id.to_owned())).await.map_err(|reason| Halt::inconclusive(format!("--effects: {reason}")))
    }

    /// Waits until an effect of an event would have happened. Returns how many there were.
    pub(super) async fn later_effects(&self, context: &Context, id: &str) -> Result<u64, Halt> {
        context.waiting(sleep(SECOND_EFFECT_WITHIN)).await;
        self.effects(context, id).await
    }

    /// Waits for the first effect of an event, and for a second one, which must not happen. Returns how many there were.
    pub(super) async fn settled_effects(&self, context: &Context, id: &str) -> Result<u64, Halt> {
        let deadline = Instant::now() + EFFECT_WITHIN;
        while self.effects(context, id).await? == 0 && Instant::now() < deadline {
            context.waiting(sleep(ASK_EVERY)).await;
        }
        self.later_effects(context, id).await
    }
}

impl Event {
    /// Returns the event with the id in its body, signed now.
    pub(super) fn new(value: &Value) -> Self {
        let id = value["id"].as_str().unwrap_or_default().to_owned();
        Self { id, at: unix_seconds().to_string(), body: value.to_string().into_bytes() }
    }

    /// Returns the event with an attempt this many seconds from now.
    pub(super) fn at(self, seconds: i64) -> Self {
        Self { at: (unix_seconds() + seconds).to_string(), ..self }
    }

    /// Returns a time as in the field `timestamp`, this many seconds from now.
    pub(super) fn time(seconds: i64) -> String {
        let time = DateTime::<Utc>::from_timestamp(unix_seconds() + seconds, 0).unwrap_or_default();
        time.to_rfc3339_opts(SecondsFormat::Millis, true)
    }
}

/// Splits the URL of a receiver into its origin and its path with the query.
fn split(url: &str) -> Result<(String, String), SetUpError> {
    let parsed = Url::parse(url).map_err(|error| {
        SetUpError::Configuration(format!(
            "--url `{url}` is not a URL: {error}; write it like http://127.0.0.1:9000/hooks"
        ))
    })?;
    Ok((parsed[..Position::BeforePath].to_owned(), parsed[Position::BeforePath..Position::AfterQuery].to_owned()))
}
