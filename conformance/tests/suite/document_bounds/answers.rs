//! Responses and webhooks at every edge of the document's schemas, and just inside it.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use contentgen_conformance::check::{Exchange, Facts, Observe, Request};
use contentgen_conformance::spec::{Document, Operation};
use contentgen_conformance::strategies::{Draw, boundaries};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

const SEED: u64 = 7;
const REQUEST_ID: &str = "req_01KB0A5B2KZ9Y8X7W6V5T4S3R2";

/// A response, and the schema of its body.
pub(super) struct Answer {
    pub(super) schema: Option<String>,
    exchange: Exchange,
    /// True if a part of its body is at an edge of the schema, or missing.
    pub(super) is_edge: bool,
}

impl Answer {
    pub(super) fn keeps_schema(&self, document: &Document) -> bool {
        let body = self.schema.as_deref().zip(self.exchange.json());
        body.is_none_or(|(schema, body)| document.accepts(schema, body))
    }

    pub(super) fn verdict(&self, observe: &Observe, document: &Document, facts: &Facts) -> Option<bool> {
        observe(document, facts, &self.exchange).map(|verdict| verdict.is_ok())
    }
}

/// Returns responses for every status of every operation: the document's examples, those at every edge of their schema, and those that lack
/// one field. Each comes with every header and without one.
pub(super) fn answers(document: &Document, raw: &Value) -> Vec<Answer> {
    let mut all = Vec::new();
    for operation in document.operations() {
        for (status, schema) in &operation.answers {
            for number in numbers(document, operation, status) {
                let headers = headers(raw, operation, status);
                let mut add = |body: &Value, headers: &HeaderMap, is_edge: bool| {
                    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
                    let request = Request {
                        operation: Some(operation.id),
                        ..Request::outside(&operation.method, &operation.made_up_path())
                    };
                    let exchange = Exchange::new(request, number, headers.clone(), body, Duration::ZERO);
                    all.push(Answer { schema: schema.clone(), exchange, is_edge });
                };
                let bases = bases(document, raw, operation, status, number);
                // All operations share one schema for problems, so one operation is enough, also for the first and last status.
                let is_looked_into =
                    number < 400 || (operation.id == "list_leads" && [400, 422, 599].contains(&number));
                for base in &bases {
                    add(base, &headers, false);
                    for value in
                        schema.iter().filter(|_| is_looked_into).flat_map(|schema| at_edges(document, schema, base))
                    {
                        add(&value, &headers, true);
                    }
                }
                for headers in at_header_edges(operation, status, &headers) {
                    add(&bases[0], &headers, false);
                }
            }
        }
    }
    all
}

/// Returns the statuses that a status of the document covers. `default` covers all unlisted statuses, of which two are tried.
fn numbers(document: &Document, operation: &Operation, status: &str) -> Vec<u16> {
    let Ok(number) = status.parse() else {
        let not_found = document.problems()["route_not_found"].status;
        return [Some(599), Some(not_found).filter(|status| !operation.names_status(*status))]
            .into_iter()
            .flatten()
            .collect();
    };
    vec![number]
}

/// Returns the base bodies of a response: the document's examples, or a problem for each code that it may have.
fn bases(document: &Document, raw: &Value, operation: &Operation, status: &str, number: u16) -> Vec<Value> {
    if number >= 400 {
        let known = operation.codes.iter().find(|(known, _)| known == status);
        let codes = known.map(|(_, codes)| codes.clone()).unwrap_or_default();
        let problems = codes.iter().map(|code| problem(document, operation, code, number));
        // A type that only another table would contain.
        return problems.flat_map(|problem| [with(&problem, "type", json!("changed")), problem]).rev().collect();
    }
    let described = pointer(raw, &["paths", &operation.path, &operation.method.to_lowercase(), "responses", status]);
    let examples = described["content"]["application/json"]["examples"].as_object().into_iter().flatten();
    let mut bases: Vec<Value> = examples.map(|(_, example)| example["value"].clone()).collect();
    if bases.is_empty() {
        bases.push(Value::Null);
    }
    bases
}

fn problem(document: &Document, operation: &Operation, code: &str, status: u16) -> Value {
    let row = &document.problems()[code];
    json!({
        "type": row.type_uri, "title": row.title, "status": status, "detail": "Something is wrong.", "code": code,
        "instance": operation.made_up_path(), "request_id": REQUEST_ID,
        "errors": [{ "detail": "must not be empty", "code": "too_short", "pointer": "#/topic" }],
    })
}

/// Returns `base` with each property at an edge, and with one field removed at any depth.
fn at_edges(document: &Document, schema: &str, base: &Value) -> Vec<Value> {
    let edges = boundaries(document.components(), document.schema(schema), base, &[]);
    let mut drawn = (0..).zip(&edges).map(|(index, values)| Draw::new(SEED, "edges", index).value(values));
    let mut all: Vec<Value> = lacking(base);
    drawn.next();
    for value in drawn {
        let changed =
            value.as_object().into_iter().flatten().find(|(name, member)| base.get(name.as_str()) != Some(member));
        if let Some((name, member)) = changed {
            all.extend(lacking(member).into_iter().map(|member| with(&value, name, member)));
        }
        all.push(value);
    }
    all
}

fn with(value: &Value, name: &str, member: Value) -> Value {
    let mut value = value.clone();
    value[name] = member;
    value
}

/// Returns the value without one field, for each field at any depth. In a list, only the first item is changed.
fn lacking(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| {
                let mut without = value.clone();
                without.as_object_mut().unwrap().remove(name);
                let below = lacking(member).into_iter().map(|member| with(value, name, member));
                std::iter::once(without).chain(below).collect::<Vec<_>>()
            })
            .collect(),
        Value::Array(items) => items.first().map_or_else(Vec::new, |first| {
            let changed = lacking(first).into_iter();
            changed.map(|item| Value::Array([&[item][..], &items[1..]].concat())).collect()
        }),
        _ => Vec::new(),
    }
}

/// Returns the headers of a response from the document's examples.
fn headers(raw: &Value, operation: &Operation, status: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let media_type = if status.starts_with(['2', '3']) { "application/json" } else { "application/problem+json" };
    headers.insert("content-type", HeaderValue::from_static(media_type));
    let shown: BTreeMap<String, &Value> = raw["components"]["headers"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, header)| (name.to_lowercase(), header))
        .collect();
    for header in operation.headers.iter().filter(|header| header.status == status) {
        let example = &shown[&header.name]["example"];
        let text = example.as_str().map_or_else(|| example.to_string(), ToOwned::to_owned);
        headers.insert(HeaderName::try_from(&header.name).unwrap(), HeaderValue::try_from(text).unwrap());
    }
    headers
}

/// Returns the headers without one of them, or with one at an edge of its schema.
fn at_header_edges(operation: &Operation, status: &str, headers: &HeaderMap) -> Vec<HeaderMap> {
    let mut all = Vec::new();
    for header in operation.headers.iter().filter(|header| header.status == status) {
        let mut without = headers.clone();
        without.remove(&header.name);
        all.push(without);
        let least = header.schema["minimum"].as_i64().map(|number| number.to_string());
        // An entity tag needs its quotation marks.
        let short = header.schema["minLength"].as_u64().map(|_| if header.name == "etag" { "\"a\"" } else { "a" });
        for text in least.into_iter().chain(short.map(ToOwned::to_owned)) {
            let mut at_edge = headers.clone();
            at_edge.insert(HeaderName::try_from(&header.name).unwrap(), HeaderValue::try_from(text).unwrap());
            all.push(at_edge);
        }
    }
    all
}

/// Returns the schema of each kind of webhook, with the example body and the bodies at the edges of the schema.
pub(super) fn hooks(document: &Document, raw: &Value) -> Vec<(String, Vec<Value>)> {
    let bodies = |kind: &Operation, schema: &str| {
        let base =
            pointer(raw, &["x-webhooks", &kind.path, "post", "requestBody", "content", "application/json"])["example"]
                .clone();
        let edges = at_edges(document, schema, &base);
        std::iter::once(base).chain(edges).collect()
    };
    let kinds = document.hooks().iter().filter_map(|kind| Some((kind, kind.request_schema.clone()?)));
    kinds.map(|(kind, schema)| (schema.clone(), bodies(kind, &schema))).collect()
}

/// Returns the value at a place, after following references.
fn pointer<'raw>(raw: &'raw Value, names: &[&str]) -> &'raw Value {
    let mut value = raw;
    for name in names {
        value = &value[*name];
        if let Some(reference) = value["$ref"].as_str() {
            value = raw.pointer(reference.trim_start_matches('#')).unwrap();
        }
    }
    value
}
