//! Responses of a mock service.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::json;
use wiremock::{Request, Respond, ResponseTemplate};

use super::operation;

/// An operation and, if it takes one, the requested id.
type Question = (&'static str, Option<String>);

/// The responses of a service, which can change while it runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    answers: HashMap<Question, ResponseTemplate>,
    outages: Vec<Outage>,
}

/// A temporary response of an operation, such as a failure.
#[derive(Debug)]
struct Outage {
    operation: &'static str,
    left: u32,
    answer: ResponseTemplate,
}

impl Answers {
    /// Sets the status and body for an operation and id from now on.
    pub(super) fn put(&self, operation: &'static str, id: Option<&str>, status: u16, body: &impl Serialize) {
        let answer = ResponseTemplate::new(status).insert_header("X-Request-Id", "req_mock").set_body_json(body);
        self.set(operation, id, answer);
    }

    /// Sets the response for an operation and id from now on.
    pub(super) fn set(&self, operation: &'static str, id: Option<&str>, answer: ResponseTemplate) {
        self.lock().answers.insert((operation, id.map(str::to_owned)), answer);
    }

    /// Makes an operation fail a number of times.
    pub(super) fn fail(&self, operation: &'static str, times: u32, status: u16, code: &str) {
        self.first(operation, times, problem(status, code));
    }

    /// Makes an operation return this response a number of times.
    pub(super) fn first(&self, operation: &'static str, times: u32, answer: ResponseTemplate) {
        self.lock().outages.push(Outage { operation, left: times, answer });
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Respond for Answers {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let Some(question) = operation::of(request) else {
            return problem(404, "route_not_found");
        };
        let mut known = self.lock();
        if let Some(outage) = known.outages.iter_mut().find(|outage| outage.operation == question.0 && outage.left > 0)
        {
            outage.left -= 1;
            return outage.answer.clone();
        }
        known.answers.get(&question).cloned().unwrap_or_else(|| problem(404, operation::not_found(question.0)))
    }
}

/// Makes a response with a problem.
fn problem(status: u16, code: &str) -> ResponseTemplate {
    let body = json!({ "type": format!("urn:problem-type:content-generation:{code}"), "status": status, "code": code });
    ResponseTemplate::new(status).set_body_raw(body.to_string(), "application/problem+json")
}
