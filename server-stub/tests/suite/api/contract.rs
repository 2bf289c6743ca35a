//! Checks responses against the document. The code is separate from the server's, to detect errors in how the server reads the document.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use reqwest::header::HeaderMap;
use serde_json::{Map, Value, json};

/// The document.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_saphyr::from_str(include_str!("../../../../openapi.yaml")).unwrap());

static SCHEMAS: LazyLock<Value> = LazyLock::new(|| convert(&DOCUMENT["components"]["schemas"]));

/// Returns every path and method of the document with its `operationId`.
pub(crate) fn operations() -> BTreeSet<(String, String, String)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, item)| {
        item.as_object().unwrap().iter().filter(|(_, operation)| operation["operationId"].is_string()).map(
            |(method, operation)| {
                (path.clone(), method.to_uppercase(), operation["operationId"].as_str().unwrap().to_owned())
            },
        )
    });
    operations.collect()
}

/// Panics unless the document allows this response to `method` on `path`.
pub(crate) fn check(method: &str, path: &str, status: u16, headers: &HeaderMap, body: &[u8]) {
    let at = format!("{method} {path} -> {status}");
    assert!(headers.contains_key("x-request-id"), "{at}: no X-Request-Id");
    let is_page = headers.get("content-type").is_some_and(|media_type| media_type == "text/html; charset=utf-8");
    let is_problem = path.starts_with("/api/") || (path.starts_with("/capture/") && !is_page);
    if status >= 400 && method != "HEAD" && is_problem {
        check_problem(&at, path, status, headers, body);
    }
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_lowercase() };
    let Some(operation) = operation(path, &method) else { return };
    let response = response(operation, status);
    for (name, header) in response["headers"].as_object().into_iter().flatten() {
        let is_required = resolve(header)["required"] == true;
        let is_given = headers.contains_key(name.as_str());
        assert!(is_given || !is_required, "{at}: the header {name} is missing");
    }
    let Some(described) = response["content"].as_object() else {
        assert!(body.is_empty(), "{at}: a body where the document has none");
        return;
    };
    let media_type = headers["content-type"].to_str().unwrap();
    let media_type =
        media_type.strip_suffix("; charset=utf-8").filter(|page| *page == "text/html").unwrap_or(media_type);
    let content = described.get(media_type).unwrap_or_else(|| panic!("{at}: {media_type} is not in the document"));
    if !body.is_empty() && media_type != "text/html" {
        let value: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{at}: {error}"));
        let violations: Vec<_> = validator(&content["schema"])
            .iter_errors(&value)
            .map(|violation| format!("{violation} at {}", violation.instance_path()))
            .collect();
        assert!(violations.is_empty(), "{at}: {violations:?} in {value}");
    }
}

fn check_problem(at: &str, path: &str, status: u16, headers: &HeaderMap, body: &[u8]) {
    let problem: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{at}: {error}"));
    assert_eq!(headers["content-type"], "application/problem+json", "{at}");
    assert_eq!(headers["cache-control"], "no-store", "{at}");
    let code = problem["code"].as_str().unwrap();
    let row = &DOCUMENT["x-problem-codes"][code];
    assert_eq!(row["status"], status, "{at}: {problem}");
    assert_eq!(
        (&problem["title"], &problem["type"], &problem["status"]),
        (&row["title"], &row["type"], &row["status"]),
        "{at}"
    );
    assert_eq!(problem["request_id"], headers["x-request-id"].to_str().unwrap(), "{at}");
    assert_eq!(problem["instance"], path, "{at}");
    assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{at}");
}

/// Returns the `detail` of each example of each problem code, without numbers.
pub(crate) fn documented_details() -> BTreeSet<(String, String)> {
    let responses = DOCUMENT["components"]["responses"].as_object().unwrap().values();
    let examples =
        responses.filter_map(|response| response["content"]["application/problem+json"]["examples"].as_object());
    let details = examples.flatten().map(|(code, example)| (code.clone(), detail(&example["value"])));
    details.collect()
}

/// Panics unless the problem has the `detail` of an example of its code. Numbers may differ.
pub(crate) fn check_text(problem: &Value) {
    let code = problem["code"].as_str().unwrap();
    let sent = (code.to_owned(), detail(problem));
    assert!(documented_details().contains(&sent), "the document does not show {sent:?}");
}

/// Returns the `detail` of a problem without numbers.
pub(crate) fn detail(problem: &Value) -> String {
    masked(problem["detail"].as_str().unwrap())
}

/// Returns the text with `#` in place of each number.
pub(crate) fn masked(text: &str) -> String {
    let is_number = |character: char| character.is_ascii_digit();
    let mut masked = String::new();
    for character in text.chars() {
        if !is_number(character) {
            masked.push(character);
        } else if !masked.ends_with('#') {
            masked.push('#');
        }
    }
    masked.replace("#.#", "#")
}

fn operation(path: &str, method: &str) -> Option<&'static Value> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fits = |template: &str| {
        let (template, path): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
        template.len() == path.len()
            && template
                .iter()
                .zip(&path)
                .all(|(part, given)| (part.starts_with('{') && !given.is_empty()) || part == given)
    };
    paths.iter().find(|(template, _)| fits(template)).and_then(|(_, item)| item.get(method))
}

fn response(operation: &'static Value, status: u16) -> &'static Value {
    let responses = &operation["responses"];
    let response = responses.get(status.to_string()).or_else(|| responses.get("default"));
    resolve(response.unwrap_or_else(|| panic!("the document has no answer {status} for {}", operation["operationId"])))
}

fn resolve(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(reference) => DOCUMENT.pointer(&reference[1..]).unwrap(),
        None => value,
    }
}

pub(crate) fn validator(schema: &Value) -> Validator {
    let schema = json!({ "allOf": [convert(schema)], "components": { "schemas": &*SCHEMAS } });
    jsonschema::options().with_draft(Draft::Draft4).should_validate_formats(true).build(&schema).unwrap()
}

/// Converts an OpenAPI 3.0 schema to JSON Schema Draft 4.
fn convert(schema: &Value) -> Value {
    match schema {
        Value::Object(members) if members.contains_key("$ref") => json!({ "$ref": members["$ref"] }),
        Value::Object(members) => {
            let mut converted: Map<_, _> =
                members.iter().map(|(name, member)| (name.clone(), convert(member))).collect();
            if members.get("nullable") == Some(&Value::Bool(true)) {
                converted.remove("nullable");
                return json!({ "anyOf": [{ "type": "null" }, converted] });
            }
            Value::Object(converted)
        }
        Value::Array(items) => items.iter().map(convert).collect(),
        plain => plain.clone(),
    }
}
