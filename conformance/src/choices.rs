//! Records what a target does where the document leaves a choice: the response to each case, optional fields and headers, and values of
//! vocabularies.
//!
//! Reports contain the choices. `report diff` and `compare` show how those of two servers differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::check::{Exchange, Origin};
use crate::spec::{Document, Operation};

/// Maximum number of choices from which on a target's own fields and headers are not recorded.
const MAX_CHOICES: usize = 5_000;
/// Maximum number of values of one choice, and maximum length in bytes of a name or a value.
const MAX_VALUES: usize = 100;
const MAX_LENGTH: usize = 200;

/// Value of a choice about a field or a header.
const PRESENT: &str = "present";
pub(crate) const ABSENT: &str = "absent";

/// The texts that allow a target its own fields, headers and values.
const UNKNOWN_FIELDS: &str = "openapi.yaml: \u{201c}Clients ignore unknown fields.\u{201d}";
const UNKNOWN_HEADERS: &str = "RFC 9110, section 5.1: recipients ignore header fields that they do not know";
const UNKNOWN_VALUES: &str = "openapi.yaml: \u{201c}A client keeps values that it does not know.\u{201d}";

/// Headers that say nothing about the contract, and the media type, which the document has elsewhere.
const IGNORED: [&str; 7] =
    ["connection", "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding"];

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
    /// Records one exchange, and the case that made it. Ignores responses that the document does not allow.
    pub(crate) fn record(&self, document: &Document, exchange: &Exchange, origin: Option<&Origin>) {
        let Some(operation) = exchange.request.operation.and_then(|id| document.operation(id)) else { return };
        if !is_allowed(document, operation, exchange.status) {
            return;
        }
        let mut taken = BTreeSet::new();
        headers(operation, exchange, &mut taken);
        body(document, operation, exchange, &mut taken);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (choice, value) in taken {
            // The document limits the number of its own choices.
            let is_known = choice.is_documented || seen.choices.contains_key(&choice);
            if is_known || seen.choices.len() < MAX_CHOICES {
                let values = seen.choices.entry(choice).or_default();
                if values.len() < MAX_VALUES {
                    values.insert(value);
                }
            }
        }
        if let Some(origin) = origin {
            let response = match exchange.code().filter(|code| document.problems().contains_key(*code)) {
                Some(code) if exchange.status >= 400 => format!("{} {code}", exchange.status),
                _ => exchange.status.to_string(),
            };
            let of_operation = seen.responses.entry(origin.requirement).or_default().entry(operation.id).or_default();
            of_operation.entry(response).or_default().insert(origin.case_index);
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

/// Returns true if the document allows the status for the operation: it lists it, a code of the `default` response has it, or the server
/// failed.
fn is_allowed(document: &Document, operation: &Operation, status: u16) -> bool {
    let has_status = |code: &String| document.problems().get(code).is_some_and(|row| row.status == status);
    operation.names_status(status) || operation.default_codes().iter().any(has_status) || status >= 500
}

/// The choices in one response, with their values.
type Taken = BTreeSet<(Choice, String)>;

/// Adds the optional headers of a response.
fn headers(operation: &Operation, exchange: &Exchange, taken: &mut Taken) {
    let status = exchange.status;
    let spellings = [status.to_string(), format!("{}XX", status / 100), "default".to_owned()];
    let described = spellings.iter().find(|spelling| operation.answers.iter().any(|(named, _)| named == *spelling));
    let documented: Vec<_> = operation.headers.iter().filter(|header| Some(&header.status) == described).collect();
    let mut add = |name: &str, is_documented, allowed_by, value: &str| {
        let subject = format!("header `{name}`");
        taken
            .insert((Choice { operation: operation.id, status, subject, is_documented, allowed_by }, value.to_owned()));
    };
    for header in documented.iter().filter(|header| !header.required) {
        let value = if exchange.headers.contains_key(&header.name) { PRESENT } else { ABSENT };
        let allowed_by = format!("openapi.yaml does not require it in the {status} response of {}", operation.id);
        add(&header.name, true, allowed_by, value);
    }
    for name in exchange.headers.keys().map(http::HeaderName::as_str) {
        let is_known = documented.iter().any(|header| header.name == name) || IGNORED.contains(&name);
        if !is_known && name.len() <= MAX_LENGTH {
            add(name, false, UNKNOWN_HEADERS.to_owned(), PRESENT);
        }
    }
}

/// Adds the optional fields of a response, and the values of its vocabularies. A body that breaks its schema shows no choices.
fn body(document: &Document, operation: &Operation, exchange: &Exchange, taken: &mut Taken) {
    let Some(schema) = operation.answer_schema(exchange.status) else { return };
    let Some(body) = exchange.json() else { return };
    if document.response_violations(schema, body).map_or(true, |violations| !violations.is_empty()) {
        return;
    }
    let place = format!("openapi.yaml#/components/schemas/{schema}");
    let mut add = |subject, is_documented, allowed_by: String, value: &str| {
        let choice = Choice { operation: operation.id, status: exchange.status, subject, is_documented, allowed_by };
        taken.insert((choice, value.to_owned()));
    };
    document.visit(schema, body, &mut |pointer, described, value| {
        let pointer = without_indexes(pointer);
        if pointer.len() > MAX_LENGTH || described["x-personal-data"] == true {
            return;
        }
        let words = ["enum", "x-extensible-enum"].into_iter().find_map(|keyword| described[keyword].as_array());
        let word = value.as_str().filter(|word| word.len() <= MAX_LENGTH);
        // The code of a problem is part of the response.
        if let (Some(words), Some(word), true) = (words, word, exchange.status < 400) {
            if words.contains(value) {
                add(format!("value of `{pointer}`"), true, format!("{place} lists the value"), word);
            } else {
                let subject = format!("value of `{pointer}` outside of the vocabulary");
                add(subject, false, UNKNOWN_VALUES.to_owned(), word);
            }
        }
        let (Some(fields), Some(properties)) = (value.as_object(), described["properties"].as_object()) else { return };
        let required = described["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        for name in properties.keys().filter(|name| !required.iter().any(|one| one == name.as_str())) {
            // In a response, null and an absent field mean the same.
            let value = if fields.get(name).is_some_and(|field| !field.is_null()) { PRESENT } else { ABSENT };
            add(format!("field `{pointer}/{name}`"), true, format!("{place} does not require it"), value);
        }
        let is_map = !matches!(described.get("additionalProperties"), None | Some(Value::Bool(_)));
        let unknown = fields.keys().filter(|name| !properties.contains_key(*name) && name.len() <= MAX_LENGTH);
        for name in unknown.filter(|_| !is_map) {
            add(format!("field `{pointer}/{name}`"), false, UNKNOWN_FIELDS.to_owned(), PRESENT);
        }
    });
}

/// Returns a JSON pointer with `*` for each index of an array.
fn without_indexes(pointer: &str) -> String {
    let is_index = |segment: &str| !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let segments = pointer.split('/').map(|segment| if is_index(segment) { "*" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}
