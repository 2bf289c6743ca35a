//! Recorded exchanges of a run, and a check that requirements detect a change to a part of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{Exchange, Facts, Observe, Request};
use contentgen_conformance::reference::Reference;
use contentgen_conformance::requirements::catalogue;
use contentgen_conformance::runner::{Run, Target};
use contentgen_conformance::spec::{Document, Profile};
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::parts::Part;
use crate::broken_servers::proxy::{self, Passing};

/// A response with its request.
struct Heard {
    operation: &'static str,
    method: String,
    path: String,
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// All recorded exchanges.
pub(crate) struct Recording {
    heard: Arc<Mutex<Vec<Heard>>>,
    sent: Arc<Mutex<Vec<Value>>>,
    document: Arc<Document>,
    facts: Option<Arc<Facts>>,
    observers: Vec<Observe>,
    _server: Reference,
    _proxy: JoinSet<()>,
}

impl Recording {
    /// Starts a reference server behind a recording proxy.
    pub(crate) async fn start() -> (Self, Target) {
        let server = Reference::start().await.unwrap();
        let mut target = server.target();
        let document = Document::embedded(Profile::Full).unwrap();
        let heard: Arc<Mutex<Vec<Heard>>> = Arc::default();
        let sent: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (hears, known) = (Arc::clone(&heard), Arc::clone(&document));
        let sends = Arc::clone(&sent);
        let listen = Arc::new(move |passing: &mut Passing| {
            if passing.path.ends_with("/generate") || passing.path.starts_with("/capture/") {
                sends.lock().unwrap().push(passing.json().unwrap_or_else(|| form(&passing.body)));
            }
        });
        let hear = Arc::new(move |passing: &mut Passing| {
            if let Some(operation) = operation_of(&known, passing) {
                hears.lock().unwrap().push(Heard {
                    operation,
                    method: passing.method.to_string(),
                    path: passing.path.clone(),
                    status: passing.status,
                    headers: passing.headers.clone(),
                    body: passing.body.clone(),
                });
            }
        });
        let (base_url, proxy) = proxy::start(target.base_url.clone(), listen, hear).await;
        target.base_url = base_url;
        let observers = catalogue().iter().filter_map(contentgen_conformance::check::Requirement::observer).collect();
        let recording = Self { heard, sent, document, facts: None, observers, _server: server, _proxy: proxy };
        (recording, target)
    }

    /// Adds a finished run to the recording.
    pub(crate) fn of(mut self, run: Run) -> Self {
        self.facts = Some(run.facts);
        self
    }

    /// Returns true if a requirement checks `part`.
    pub(crate) fn covers(&self, part: &Part) -> bool {
        match part {
            Part::Answer { operation, status } => self.any(operation, *status, |_| true),
            Part::Header { operation, status, name } => self.any(operation, *status, |heard| {
                heard.headers.contains_key(name)
                    && (self.notices(heard, |_, headers| {
                        headers.remove(name);
                    }) || self.notices(heard, |_, headers| {
                        headers.insert(http::HeaderName::try_from(name).unwrap(), HeaderValue::from_static("sp oiled"));
                    }))
            }),
            Part::Property { operation, status, place } => {
                self.any(operation, *status, |heard| self.looks_at(heard, place))
            }
            Part::Problem { place } => {
                let heard = self.heard.lock().unwrap();
                heard.iter().filter(|heard| heard.status >= 400).any(|heard| self.looks_at(heard, place))
            }
            Part::Sent { place, .. } => self.sent.lock().unwrap().iter().any(|body| has(body, place)),
        }
    }

    fn looks_at(&self, heard: &Heard, place: &str) -> bool {
        has(&serde_json::from_slice(&heard.body).unwrap_or_default(), place)
            && self.notices(heard, |body, _| spoil(body, place))
    }

    fn any(&self, operation: &str, status: u16, holds: impl Fn(&Heard) -> bool) -> bool {
        let heard = self.heard.lock().unwrap();
        heard.iter().filter(|heard| heard.operation == operation && heard.status == status).any(holds)
    }

    /// Returns true if some requirement accepts the recorded response and rejects the changed one.
    fn notices(&self, heard: &Heard, spoil: impl Fn(&mut Value, &mut HeaderMap)) -> bool {
        let mut body: Value = serde_json::from_slice(&heard.body).unwrap_or_default();
        let mut headers = heard.headers.clone();
        spoil(&mut body, &mut headers);
        let bytes = if body.is_null() { heard.body.clone() } else { body.to_string().into_bytes() };
        let facts = self.facts.as_ref().unwrap();
        let (right, wrong) =
            (exchange(heard, heard.headers.clone(), heard.body.clone()), exchange(heard, headers, bytes));
        self.observers.iter().any(|observe| {
            matches!(observe(&self.document, facts, &wrong), Some(Err(_)))
                && !matches!(observe(&self.document, facts, &right), Some(Err(_)))
        })
    }
}

fn exchange(heard: &Heard, headers: HeaderMap, body: Vec<u8>) -> Exchange {
    let mut request = Request::outside(&heard.method, &heard.path);
    request.operation = Some(heard.operation);
    Exchange::new(request, heard.status, headers, Bytes::from(body), Duration::ZERO)
}

/// Returns the fields of a form-encoded body with their values.
fn form(body: &[u8]) -> Value {
    let pairs = url::form_urlencoded::parse(body).into_owned();
    Value::Object(pairs.map(|(name, value)| (name, Value::from(value))).collect())
}

/// Returns the operation whose method and path template match.
fn operation_of(document: &Document, passing: &Passing) -> Option<&'static str> {
    let path = passing.path.split('?').next().unwrap_or_default();
    let fits = |template: &str| {
        let (mut wanted, mut given) = (template.split('/'), path.split('/'));
        wanted.by_ref().zip(given.by_ref()).all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
            && template.split('/').count() == path.split('/').count()
    };
    // A response to a wrong method belongs to the path, not to one operation.
    let method = passing.method.as_str();
    let found = document.operations().iter().filter(|operation| fits(&operation.path));
    let named = found.clone().find(|operation| operation.method == method);
    named.or_else(|| found.clone().find(|_| passing.status == 405)).map(|operation| operation.id)
}

/// Returns the values at `place`, where `*` means every item.
fn at<'value>(value: &'value mut Value, place: &str) -> Vec<&'value mut Value> {
    let mut found = vec![value];
    for name in place.split('/').skip(1) {
        found = found
            .into_iter()
            .flat_map(|value| -> Vec<&mut Value> {
                match value {
                    Value::Array(items) if name == "*" => items.iter_mut().collect(),
                    Value::Object(members) => members.get_mut(name).into_iter().collect(),
                    _ => Vec::new(),
                }
            })
            .collect();
    }
    found
}

fn has(body: &Value, place: &str) -> bool {
    at(&mut body.clone(), place).iter().any(|value| !value.is_null())
}

/// Replaces the values at `place` by values of another type.
fn spoil(body: &mut Value, place: &str) {
    for value in at(body, place) {
        *value = if value.is_object() { json!([["spoiled"]]) } else { json!({ "spoiled": ["?"] }) };
    }
}
