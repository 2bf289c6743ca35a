//! The responses of a server that implements a document. Equal requests get equal responses, so a check can compute the response again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::places;
use super::random::Random;
use super::sampler::{Known, Sampler};

/// The job whose article the SDK waits for.
pub(super) const WAITED_JOB: &str = "job_waited_for";
/// The status of an error that only `default` describes.
const OTHER_STATUS: u16 = 450;
/// The token of the second page of every list.
const SECOND_PAGE: &str = "pt.second";

/// The kind of response that the first part of a path requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Responds with a success.
    Plain,
    /// Completes a job at the second poll.
    Waiting,
    /// Responds with an error of the operation, by its number.
    Error(usize),
}

impl Mode {
    /// Returns the mode's part of a path.
    pub(super) fn prefix(self) -> String {
        match self {
            Self::Plain => "plain".to_owned(),
            Self::Waiting => "waiting".to_owned(),
            Self::Error(index) => format!("error-{index}"),
        }
    }

    fn parse(prefix: &str) -> Option<Self> {
        match prefix {
            "plain" => Some(Self::Plain),
            "waiting" => Some(Self::Waiting),
            other => other.strip_prefix("error-")?.parse().ok().map(Self::Error),
        }
    }
}

/// The parts of a request that the response depends on.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) query: &'a str,
    pub(super) headers: Vec<String>,
    pub(super) body: &'a [u8],
}

/// A response.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
}

/// An error that an operation can return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PossibleError {
    pub(super) status: u16,
    pub(super) code: String,
    place: String,
}

/// A server without its sockets.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) document: Value,
    pub(super) known: Arc<Known>,
    seed: u64,
    number: u64,
    /// Number of polls of each job that a client waits for.
    looks: Mutex<HashMap<String, usize>>,
}

impl Service {
    /// Creates a server for a document.
    pub(super) fn new(document: Value, known: Arc<Known>, seed: u64, number: u64) -> Self {
        Self { document, known, seed, number, looks: Mutex::new(HashMap::new()) }
    }

    /// Returns random choices that depend only on their purpose.
    pub(super) fn random(&self, purpose: &str) -> Random {
        let mixed =
            purpose.bytes().fold(self.seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Random::of(mixed, self.number)
    }

    /// Returns the place of an operation by its name.
    pub(super) fn operation(&self, name: &str) -> Option<String> {
        let named = |place: &String| self.document.pointer(&format!("{place}/operationId")) == Some(&json!(name));
        places::operations(&self.document).into_iter().find(named)
    }

    /// Returns the response to a request.
    pub(super) fn answer(&self, question: &Question<'_>) -> Answer {
        let mut parts = question.path.trim_start_matches('/').splitn(2, '/');
        let mode = parts.next().and_then(Mode::parse).unwrap_or(Mode::Plain);
        let path = format!("/{}", parts.next().unwrap_or_default());
        let Some(place) = self.route(question.method, &path) else {
            return refusal(404, "route_not_found", &format!("{} {path}", question.method));
        };
        if let Some(missing) = self.missing(&place, question) {
            return refusal(422, "validation_failed", &missing);
        }
        match mode {
            Mode::Error(index) => match self.errors(&place).get(index) {
                Some(error) => self.error(error),
                None => refusal(500, "internal_error", "no such error"),
            },
            Mode::Waiting => self.waited_for(&place, path.rsplit('/').next().unwrap_or_default()),
            Mode::Plain => self.success(&place, question.query.contains("page_token=")),
        }
    }

    fn route(&self, method: &str, path: &str) -> Option<String> {
        let fits = |place: &String| {
            let mut parts = place.rsplitn(2, '/');
            let own = parts.next().is_some_and(|own| own.eq_ignore_ascii_case(method));
            let template = parts.next().map(|item| places::last(item).replace("~1", "/")).unwrap_or_default();
            let (one, other): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
            let is_same = |(one, other): (&&str, &&str)| one.starts_with('{') || one == other;
            own && one.len() == other.len() && one.iter().zip(&other).all(is_same)
        };
        places::operations(&self.document).into_iter().find(fits)
    }

    /// Returns a required part that the request lacks. Today's programs do not know later requirements.
    fn missing(&self, place: &str, question: &Question<'_>) -> Option<String> {
        for parameter in places::parameters(&self.document, place) {
            let parameter = self.document.pointer(&parameter)?;
            let name = parameter["name"].as_str()?;
            let is_sent = match parameter["in"].as_str()? {
                "query" => question.query.split('&').any(|pair| pair.split('=').next() == Some(name)),
                "header" => question.headers.iter().any(|header| header.eq_ignore_ascii_case(name)),
                _ => true,
            };
            if parameter["required"] == json!(true) && !is_sent {
                return Some(format!("the parameter {name} is missing"));
            }
        }
        let body = self.document.pointer(&format!("{place}/requestBody/content/application~1json/schema"))?;
        let schema = self.document.pointer(places::reference(body)?)?;
        let sent: Value = serde_json::from_slice(question.body).unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        required.into_iter().find(|name| sent.get(name).is_none()).map(|name| format!("the field {name} is missing"))
    }

    /// Returns the success response of an operation: for a list, the first or the second page.
    pub(super) fn success(&self, place: &str, is_second_page: bool) -> Answer {
        let statuses = places::responses(&self.document, place);
        let success = statuses.iter().find(|status| places::last(status).starts_with('2')).cloned().unwrap_or_default();
        let mut answer = self.response(&success, &format!("{place} {is_second_page}"));
        if answer.body.get("items").is_some_and(Value::is_array) {
            answer.body["next_page"] = if is_second_page { Value::Null } else { json!(SECOND_PAGE) };
        }
        answer
    }

    /// Returns the job as running at every first poll, and as completed at every second one.
    fn waited_for(&self, place: &str, id: &str) -> Answer {
        let mut answer = self.success(place, false);
        match self.document.pointer(&format!("{place}/operationId")).and_then(Value::as_str) {
            Some("generate") => answer.body["job_id"] = json!(WAITED_JOB),
            Some("get_job") => {
                let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
                let look = looks.entry(id.to_owned()).or_default();
                *look += 1;
                // A client that waits polls twice, so the next client starts again.
                let is_done = look.is_multiple_of(2);
                answer.body["job_id"] = json!(id);
                answer.body["done"] = json!(is_done);
                answer.body["status"] = if is_done { json!("completed") } else { self.status_under_way() };
                answer.body["article_id"] = if is_done { json!("art_waited_for") } else { Value::Null };
            }
            _ => {}
        }
        answer
    }

    /// Returns the latest state of a running job: a new state, if there is one.
    fn status_under_way(&self) -> Value {
        let states = self.document.pointer("/components/schemas/JobStatus/x-extensible-enum").and_then(Value::as_array);
        let new = states
            .into_iter()
            .flatten()
            .find(|state| state.as_str().is_some_and(|state| !self.known.values.contains(state)));
        new.cloned().unwrap_or_else(|| json!("in_progress"))
    }

    /// Returns the errors that an operation can return.
    pub(super) fn errors(&self, place: &str) -> Vec<PossibleError> {
        let mut errors = Vec::new();
        for response in places::responses(&self.document, place) {
            let status = match places::last(&response) {
                "default" => OTHER_STATUS,
                status => status.parse().unwrap_or_default(),
            };
            let place = places::resolved(&self.document, &response);
            let codes = self.document.pointer(&format!("{place}/x-codes")).and_then(Value::as_array);
            for code in codes.into_iter().flatten().filter_map(Value::as_str).filter(|_| status >= 400) {
                errors.push(PossibleError { status, code: code.to_owned(), place: place.clone() });
            }
        }
        errors
    }

    /// Returns the response of an error.
    pub(super) fn error(&self, error: &PossibleError) -> Answer {
        let mut answer = self.response(&error.place, &format!("{} {} {}", error.place, error.status, error.code));
        answer.status = error.status;
        answer.body["status"] = json!(error.status);
        answer.body["code"] = json!(error.code);
        answer
    }

    /// Makes a response with all headers of the document, and a body of its schema.
    fn response(&self, place: &str, purpose: &str) -> Answer {
        let status = places::last(place).parse().unwrap_or(200);
        let resolved = places::resolved(&self.document, place);
        let mut headers = Vec::new();
        for name in places::names(&self.document, &format!("{resolved}/headers")) {
            let header = places::resolved(&self.document, &format!("{resolved}/headers/{}", places::escaped(&name)));
            let example = self.document.pointer(&format!("{header}/example")).cloned().unwrap_or_default();
            headers.push((name, example.as_str().map_or_else(|| example.to_string(), str::to_owned)));
        }
        let mut body = Value::Null;
        let media_types = places::names(&self.document, &format!("{resolved}/content"));
        for media in media_types.into_iter().filter(|media| media.contains("json")) {
            let content = format!("{resolved}/content/{}", places::escaped(&media));
            if let Some(schema) = self.document.pointer(&format!("{content}/schema")) {
                let sampler = Sampler { document: &self.document, known: &self.known };
                body = sampler.value(schema, &mut self.random(purpose));
                headers.push(("Content-Type".to_owned(), media));
            }
        }
        Answer { status, headers, body }
    }
}

/// Returns the problem that reports a request which does not follow the document.
fn refusal(status: u16, code: &str, detail: &str) -> Answer {
    let headers = vec![("Content-Type".to_owned(), "application/problem+json".to_owned())];
    Answer { status, headers, body: json!({ "status": status, "code": code, "detail": detail }) }
}
