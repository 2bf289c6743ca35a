//! Records the parts of the document that the exchanges of a run cover.
//!
//! Its memory depends only on the document and the catalogue, not on the length of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::constraint::{Constraint, Side};
use super::keywords::{self, Place};
use super::part::{self, Coverage, Part, PartCoverage};
use crate::check::{Exchange, Origin, Request};
use crate::spec::{Document, Operation, Profile};

/// Maximum length in bytes of a request body that is searched for keywords: twice the contract's maximum.
const MAX_BODY: usize = 128 * 1024;

/// Statuses that are decided before the content of the request is read. They do not cover keywords.
const BEFORE_CONTENT: [u16; 9] = [401, 403, 405, 408, 413, 415, 429, 431, 503];

/// One operation, prepared for matching.
struct Watched {
    operation: Operation,
    keywords: Vec<(Place, String, Constraint)>,
}

/// Observations of one part.
#[derive(Default)]
struct Seen {
    exchanges: u64,
    by: BTreeSet<&'static str>,
    /// The sent values of an enumeration.
    values: BTreeSet<String>,
}

/// Records the covered parts of a document, and the cases that covered them.
pub(crate) struct Recorder {
    profile: Profile,
    parts: Vec<Part>,
    operations: Vec<Watched>,
    seen: Mutex<BTreeMap<String, Seen>>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Recorder").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Prepares the parts of `document`.
    pub(crate) fn new(document: &Document) -> Self {
        let watched = |operation: &Operation| Watched {
            keywords: keywords::of(document, operation)
                .into_iter()
                .map(|bounded| (bounded.place, bounded.keyword, bounded.constraint))
                .collect(),
            operation: operation.clone(),
        };
        Self {
            profile: document.profile(),
            parts: part::all(document),
            operations: document.operations().iter().map(watched).collect(),
            seen: Mutex::default(),
        }
    }

    /// Records one exchange, and the case that made it.
    pub(crate) fn record(&self, exchange: &Exchange, origin: Option<&Origin>) {
        if exchange.answered_by_proxy(self.profile).is_some() {
            return;
        }
        let by = origin.map(|origin| origin.requirement);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut add = |part: &Part, value: Option<&Value>| {
            let entry = seen.entry(part.to_string()).or_default();
            entry.exchanges += 1;
            entry.by.extend(by);
            entry.values.extend(value.map(ToString::to_string));
        };
        if exchange.status >= 400
            && let Some(code) = exchange.code()
        {
            let part = Part::problem(code);
            if self.parts.contains(&part) {
                add(&part, None);
            }
        }
        let Some(Watched { operation, keywords }) = self.watched(exchange) else { return };
        add(&Part::operation(operation), None);
        let status = exchange.status.to_string();
        let range = format!("{}XX", exchange.status / 100);
        let named = |(named, _): &&(String, _)| *named == status || *named == range;
        if let Some((named, _)) = operation.answers.iter().find(named) {
            add(&Part::status(operation, named), None);
        }
        let request = &exchange.request;
        for parameter in &operation.parameters {
            if !sent(request, &parameter.location, &parameter.name).is_empty() {
                add(&Part::parameter(operation, &parameter.location, &parameter.name), None);
            }
        }
        if BEFORE_CONTENT.contains(&exchange.status) || keywords.is_empty() {
            return;
        }
        let body = request.body.as_ref().filter(|body| body.len() <= MAX_BODY);
        let body: Option<Value> = body.and_then(|body| serde_json::from_slice(body).ok());
        for (place, keyword, constraint) in keywords {
            let parameters;
            let values = match (place, &body) {
                (Place::Body(pointer), Some(body)) => keywords::values_at(body, pointer),
                (Place::Body(_), None) => continue,
                (Place::Parameter(location, name), _) => {
                    parameters = values(operation, request, location, name);
                    parameters.iter().collect()
                }
            };
            for value in values {
                if let Some(side) = constraint.side(value) {
                    add(
                        &Part::keyword(operation, place, keyword, side),
                        (side == Side::Edge).then_some(value).filter(|_| constraint.edge_values() > 1),
                    );
                }
            }
        }
    }

    /// Returns the coverage of every part, in the order of the document.
    pub(crate) fn coverage(&self) -> Coverage {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = self.parts.iter().map(|part| {
            let entry = seen.get(&part.to_string());
            PartCoverage {
                is_met: entry.is_some_and(|entry| entry.values.len().max(1) >= self.values_needed(part)),
                exchanges: entry.map_or(0, |entry| entry.exchanges),
                by: entry.map(|entry| entry.by.iter().copied().collect()).unwrap_or_default(),
                usually_by: Vec::new(),
                unreachable: None,
                part: part.clone(),
            }
        });
        Coverage { parts: parts.collect() }
    }

    /// Returns the number of values that cover a part: for an enumeration, all of its values.
    fn values_needed(&self, part: &Part) -> usize {
        if part.side != Some(Side::Edge) {
            return 1;
        }
        let watched = self.operations.iter().find(|watched| Some(watched.operation.id) == part.operation.as_deref());
        let keywords = watched.map(|watched| watched.keywords.as_slice()).unwrap_or_default();
        let is_it = |(place, keyword, _): &&(Place, String, Constraint)| format!("{place} {keyword}") == part.name;
        keywords.iter().find(is_it).map_or(1, |(_, _, constraint)| constraint.edge_values())
    }

    /// Returns the operation that a request belongs to, even if the requirement does not name it.
    fn watched(&self, exchange: &Exchange) -> Option<&Watched> {
        let request = &exchange.request;
        if let Some(id) = request.operation {
            return self.operations.iter().find(|watched| watched.operation.id == id);
        }
        let path = request.path.split(['?', '#']).next().unwrap_or_default();
        let fits = |watched: &&Watched| {
            let (template, path) = (watched.operation.path.split('/'), path.split('/'));
            template.clone().count() == path.clone().count()
                && template.zip(path).all(
                    |(name, given)| {
                        if name.starts_with('{') { !given.is_empty() } else { name == given }
                    },
                )
        };
        // Every GET also supports HEAD. A wrong method gets a response for the path, whichever operation it belongs to.
        let method = if request.method == "HEAD" { "GET" } else { &request.method };
        let mut found = self.operations.iter().filter(fits);
        found
            .clone()
            .find(|watched| watched.operation.method == method)
            .or_else(|| found.next().filter(|_| exchange.status == 405))
    }
}

/// Returns the texts that a request sends as one parameter. A path parameter is part of every request.
fn sent(request: &Request, location: &str, name: &str) -> Vec<String> {
    match location {
        "query" => {
            let query = request.path.split_once('?').map(|(_, query)| query).unwrap_or_default();
            let pairs = url::form_urlencoded::parse(query.as_bytes());
            pairs.filter(|(known, _)| known == name).map(|(_, value)| value.into_owned()).collect()
        }
        "header" => {
            let named = request.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
            named.map(|(_, value)| value.clone()).collect()
        }
        _ => vec![String::new()],
    }
}

/// Returns the same as values of the documented type, if they have it.
fn values(operation: &Operation, request: &Request, location: &str, name: &str) -> Vec<Value> {
    let is_it = |parameter: &&crate::spec::Parameter| parameter.location == location && parameter.name == name;
    let kind = operation.parameters.iter().find(is_it).and_then(|parameter| parameter.schema["type"].as_str());
    let read = |text: String| match kind {
        Some("integer") if let Ok(number) = text.parse::<i64>() => Value::from(number),
        Some("boolean") if let Ok(boolean) = text.parse::<bool>() => Value::from(boolean),
        _ => Value::String(text),
    };
    sent(request, location, name).into_iter().map(read).collect()
}
