//! Parts of the document: operations, responses, headers, properties of requests and responses.

use std::fmt;

use serde_json::Value;

/// Maximum depth of properties.
const DEPTH: usize = 6;

/// One part of the document. Statuses are numbers. Names are in lower case. Places in a body are pointers with `*` for items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Answer { operation: String, status: u16 },
    Header { operation: String, status: u16, name: String },
    Property { operation: String, status: u16, place: String },
    Problem { place: String },
    Sent { operation: String, place: String },
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer { operation, status } => write!(formatter, "{operation} {status}"),
            Self::Header { operation, status, name } => write!(formatter, "{operation} {status} header {name}"),
            Self::Property { operation, status, place } => write!(formatter, "{operation} {status} body {place}"),
            Self::Problem { place } => write!(formatter, "problem {place}"),
            Self::Sent { operation, place } => write!(formatter, "{operation} request {place}"),
        }
    }
}

fn resolve<'document>(document: &'document Value, mut value: &'document Value) -> &'document Value {
    while let Some(reference) = value["$ref"].as_str() {
        value = document.pointer(reference.trim_start_matches('#')).unwrap();
    }
    value
}

/// Returns every part of `document`.
pub(crate) fn parts(document: &Value) -> Vec<Part> {
    let mut found = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        for described in item.as_object().unwrap().values().filter(|value| value["operationId"].is_string()) {
            let operation = described["operationId"].as_str().unwrap().to_owned();
            for (status, answer) in described["responses"].as_object().unwrap() {
                // `default` covers the statuses that are not listed.
                let Ok(status) = status.parse::<u16>() else {
                    continue;
                };
                let answer = resolve(document, answer);
                found.push(Part::Answer { operation: operation.clone(), status });
                for name in answer["headers"].as_object().into_iter().flatten().map(|(name, _)| name.to_lowercase()) {
                    found.push(Part::Header { operation: operation.clone(), status, name });
                }
                for place in body_of(document, answer) {
                    // All operations share one schema for problems.
                    if status >= 400 {
                        let problem = Part::Problem { place };
                        if !found.contains(&problem) {
                            found.push(problem);
                        }
                        continue;
                    }
                    found.push(Part::Property { operation: operation.clone(), status, place });
                }
            }
            for place in body_of(document, resolve(document, &described["requestBody"])) {
                found.push(Part::Sent { operation: operation.clone(), place });
            }
        }
    }
    found
}

fn body_of(document: &Value, holder: &Value) -> Vec<String> {
    let mut places = Vec::new();
    for content in holder["content"].as_object().into_iter().flatten().map(|(_, content)| content) {
        walk(document, &content["schema"], "", DEPTH, &mut places);
    }
    places
}

fn walk(document: &Value, schema: &Value, at: &str, depth: usize, places: &mut Vec<String>) {
    let schema = resolve(document, schema);
    if depth == 0 {
        return;
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{at}/{name}");
        walk(document, property, &place, depth - 1, places);
        places.push(place);
    }
    for kind in ["allOf", "oneOf", "anyOf"] {
        for part in schema[kind].as_array().into_iter().flatten() {
            walk(document, part, at, depth - 1, places);
        }
    }
    if schema["items"].is_object() {
        walk(document, &schema["items"], &format!("{at}/*"), depth - 1, places);
    }
}
