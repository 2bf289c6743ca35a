//! Records what a target does where the document leaves a choice: the response to each case, optional fields and headers, and values of
//! vocabularies.
//!
//! Reports contain the choices. `report diff` and `compare` show how those of two servers differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::check::{Exchange, Origin};
use crate::spec::{Document, Operation};

/// Maximum number of choices of a run. The document has far fewer, but a target may add any number of fields.
const MAX_CHOICES: usize = 5_000;
/// Maximum number of values of one choice, and maximum length in bytes of a name or a value.
const MAX_VALUES: usize = 100;
const MAX_LENGTH: usize = 200;

/// Value of a choice about a field or a header.
const PRESENT: &str = "present";
pub(crate) const ABSENT: &str = "absent";

/// The texts that leave fields, headers and values of a target's own.
const UNKNOWN_FIELDS: &str = "openapi.yaml: \u{201c}Clients ignore unknown fields.\u{201d}";
const UNKNOWN_HEADERS: &str = "RFC 9110, section 5.1: recipients ignore header fields that they do not know";
const UNKNOWN_VALUES: &str = "openapi.yaml: \u{201c}A client keeps values that it does not know.\u{201d}";

/// Headers of the transport, which say nothing about the contract (RFC 9110, section 7.6.1, and RFC 9112).
const OF_TRANSPORT: [&str; 6] = ["connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"];

/// A choice that the document leaves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The operation of the responses.
    pub operation: &'static str,
    /// Their status.
    pub status: u16,
    /// The subject, such as ``field `/items/*/slug` ``.
    pub subject: String,
    /// False for a field, a header or a value of the target's own.
    pub is_documented: bool,
    /// The text that leaves the choice.
    pub allowed_by: String,
}

/// Responses to the cases of one requirement, by operation: each status, with the code of a problem, and the number of cases that saw it.
pub type Responses = BTreeMap<&'static str, BTreeMap<String, usize>>;

/// Records the choices of a run.
#[derive(Debug, Default)]
pub(crate) struct Recorder(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    choices: BTreeMap<Choice, BTreeSet<String>>,
    /// The cases of each response, by requirement.
    responses: BTreeMap<&'static str, BTreeMap<&'static str, BTreeMap<String, BTreeSet<u32>>>>,
}

impl Recorder {
    /// Records one exchange, and the case that made it. A response that the document does not allow is no choice.
    pub(crate) fn record(&self, document: &Document, exchange: &Exchange, origin: Option<&Origin>) {
        let request = &exchange.request;
        let Some(operation) = request.operation.and_then(|id| document.operation(id)) else { return };
        let is_documented = |named: &str| operation.answers.iter().any(|(status, _)| status == named);
        if exchange.status == 0 || !(operation.names_status(exchange.status) || is_documented("default")) {
            return;
        }
        let mut taken = Vec::new();
        headers(operation, exchange, &mut taken);
        body(document, operation, exchange, &mut taken);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for Taken { subject, is_documented, allowed_by, value } in taken {
            let choice =
                Choice { operation: operation.id, status: exchange.status, subject, is_documented, allowed_by };
            if seen.choices.len() < MAX_CHOICES || seen.choices.contains_key(&choice) {
                let values = seen.choices.entry(choice).or_default();
                if values.len() < MAX_VALUES {
                    values.insert(value);
                }
            }
        }
        if let Some(origin) = origin {
            let response = match exchange.code().filter(|code| code.len() <= MAX_LENGTH) {
                Some(code) if exchange.status >= 400 => format!("{} {code}", exchange.status),
                _ => exchange.status.to_string(),
            };
            let of_operation = seen.responses.entry(origin.requirement).or_default().entry(operation.id).or_default();
            if of_operation.len() < MAX_VALUES || of_operation.contains_key(&response) {
                of_operation.entry(response).or_default().insert(origin.case_index);
            }
        }
    }

    /// Returns the choices with the values that were seen.
    pub(crate) fn choices(&self) -> BTreeMap<Choice, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).choices.clone()
    }

    /// Returns the responses to the cases of a requirement.
    pub(crate) fn responses(&self, requirement: &str) -> Responses {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let operations = seen.responses.get(requirement).into_iter().flatten();
        let counted = operations.map(|(operation, responses)| {
            (*operation, responses.iter().map(|(response, cases)| (response.clone(), cases.len())).collect())
        });
        counted.collect()
    }
}

/// A choice in one response.
struct Taken {
    subject: String,
    is_documented: bool,
    allowed_by: String,
    value: String,
}

/// Adds the optional headers of a response.
fn headers(operation: &Operation, exchange: &Exchange, taken: &mut Vec<Taken>) {
    let status = exchange.status.to_string();
    let documented: Vec<_> = operation.headers.iter().filter(|header| header.status == status).collect();
    for header in documented.iter().filter(|header| !header.required) {
        let value = if exchange.headers.contains_key(&header.name) { PRESENT } else { ABSENT };
        let allowed_by = format!("openapi.yaml does not require it in the {status} response of {}", operation.id);
        let subject = format!("header `{}`", header.name);
        taken.push(Taken { subject, is_documented: true, allowed_by, value: value.to_owned() });
    }
    for name in exchange.headers.keys().map(http::HeaderName::as_str) {
        let is_known = documented.iter().any(|header| header.name == name) || OF_TRANSPORT.contains(&name);
        if !is_known && name.len() <= MAX_LENGTH {
            let (subject, allowed_by) = (format!("header `{name}`"), UNKNOWN_HEADERS.to_owned());
            taken.push(Taken { subject, is_documented: false, allowed_by, value: PRESENT.to_owned() });
        }
    }
}

/// Adds the optional fields of a response, and the values of its vocabularies.
fn body(document: &Document, operation: &Operation, exchange: &Exchange, taken: &mut Vec<Taken>) {
    let Some(schema) = operation.answer_schema(exchange.status) else { return };
    let Some(body) = exchange.json() else { return };
    let place = format!("openapi.yaml#/components/schemas/{schema}");
    document.visit(schema, body, &mut |pointer, described, value| {
        let pointer = without_indexes(pointer);
        if pointer.len() > MAX_LENGTH {
            return;
        }
        let vocabulary = described["enum"].as_array().or_else(|| described["x-extensible-enum"].as_array());
        let word = value.as_str().filter(|word| word.len() <= MAX_LENGTH);
        if let (Some(vocabulary), Some(word)) = (vocabulary, word) {
            let is_documented = vocabulary.contains(value);
            let (subject, allowed_by) = if is_documented {
                (format!("value of `{pointer}`"), format!("{place} lists the value"))
            } else {
                (format!("value of `{pointer}` outside of the vocabulary"), UNKNOWN_VALUES.to_owned())
            };
            taken.push(Taken { subject, is_documented, allowed_by, value: word.to_owned() });
        }
        let (Some(fields), Some(properties)) = (value.as_object(), described["properties"].as_object()) else { return };
        let required = described["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        for name in properties.keys().filter(|name| !required.iter().any(|one| one == name.as_str())) {
            // In a response, null and an absent field mean the same.
            let value = if fields.get(name).is_some_and(|field| !field.is_null()) { PRESENT } else { ABSENT };
            let (subject, allowed_by) = (format!("field `{pointer}/{name}`"), format!("{place} does not require it"));
            taken.push(Taken { subject, is_documented: true, allowed_by, value: value.to_owned() });
        }
        let is_map = !matches!(described.get("additionalProperties"), None | Some(Value::Bool(_)));
        let unknown = fields.keys().filter(|name| !properties.contains_key(*name) && name.len() <= MAX_LENGTH);
        taken.extend(unknown.filter(|_| !is_map).map(|name| {
            let (subject, allowed_by) = (format!("field `{pointer}/{name}`"), UNKNOWN_FIELDS.to_owned());
            Taken { subject, is_documented: false, allowed_by, value: PRESENT.to_owned() }
        }));
    });
}

/// Returns a JSON pointer with `*` for each index of an array.
fn without_indexes(pointer: &str) -> String {
    let is_index = |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments = pointer.split('/').map(|segment| if is_index(segment) { "*" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}
