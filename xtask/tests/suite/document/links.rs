//! Every link leads to an operation, gives it parameters that it has, and takes them from where they are.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::source;

/// Links that clients and tools rely on: from an operation to another one.
const EXPECTED: [(&str, &str); 16] = [
    ("generate", "get_job"),
    ("generate", "get_article"),
    ("generate", "cancel_job"),
    ("list_articles", "get_article"),
    ("list_articles", "get_job"),
    ("get_article", "get_job"),
    ("get_job", "get_article"),
    ("get_job", "cancel_job"),
    ("cancel_job", "get_job"),
    ("list_leads", "get_lead"),
    ("list_leads", "get_article"),
    ("get_lead", "get_article"),
    ("list_scheduled_posts", "get_job"),
    ("list_scheduled_posts", "get_article"),
    ("list_websites", "list_articles"),
    ("list_websites", "list_scheduled_posts"),
];

#[test]
fn every_link_leads_from_what_a_response_has_to_what_an_operation_takes() {
    let document = source::document();
    let links = links(&document);
    let faults: Vec<_> = links.iter().flat_map(|link| link.faults(&document)).collect();
    assert_eq!(faults, Vec::<String>::new());
    let found: BTreeSet<_> = links.iter().map(|link| (link.origin(), link.target())).collect();
    for edge in EXPECTED {
        assert!(found.contains(&edge), "a link is missing: {edge:?}");
    }
}

/// Tools find test data by links: without one they call such an operation with ids that they invent.
#[test]
fn whatever_is_read_by_its_id_is_the_target_of_a_link() {
    let document = source::document();
    let links = links(&document);
    let targets: BTreeSet<_> = links.iter().map(Link::target).collect();
    for (place, operation) in source::operations_of(&document, "paths") {
        let has_scope = operation.get("x-required-scope").is_some();
        if place.starts_with("get ") && place.contains('{') && has_scope {
            let id = operation["operationId"].as_str().unwrap();
            assert!(targets.contains(id), "no link leads to {id}: add one to the response that has its id");
        }
    }
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let whole = source::document();
    let job = "/paths/~1api~1v1~1generate/post/responses/202/links/job";
    for (member, value) in [
        ("operationId", json!("get_nothing")),
        ("operationId", json!("get_article")),
        ("parameters", json!({})),
        ("parameters", json!({ "job_id": "$response.body#/job_id", "colour": "$response.body#/job_id" })),
        ("parameters", json!({ "job_id": "$response.body#/jobs/0/id" })),
        ("parameters", json!({ "job_id": "$response.body#/metadata" })),
        ("parameters", json!({ "job_id": "$response.header.Job" })),
        ("parameters", json!({ "job_id": "$request.query.job_id" })),
        ("parameters", json!({ "job_id": "job_1" })),
    ] {
        let mut document = whole.clone();
        document.pointer_mut(job).expect("generate links to its job")[member] = value.clone();
        let found = links(&document).iter().flat_map(|link| link.faults(&document)).count();
        assert!(found > 0, "{member}: {value}");
    }
}

/// A link with its response and its operation.
struct Link<'a> {
    place: String,
    operation: &'a Value,
    response: &'a Value,
    written: &'a Value,
}

fn links(document: &Value) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    for (place, operation) in source::operations_of(document, "paths") {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let response = resolve(document, response);
            for (name, link) in response["links"].as_object().into_iter().flatten() {
                let place = format!("{place} {status} link {name}");
                found.push(Link { place, operation, response, written: resolve(document, link) });
            }
        }
    }
    found
}

impl<'a> Link<'a> {
    fn origin(&self) -> &'a str {
        self.operation["operationId"].as_str().unwrap_or_default()
    }

    fn target(&self) -> &'a str {
        self.written["operationId"].as_str().unwrap_or_default()
    }

    fn faults(&self, document: &Value) -> Vec<String> {
        let place = &self.place;
        let operations = source::operations_of(document, "paths");
        let Some((_, operation)) = operations.iter().find(|(_, other)| other["operationId"] == self.target()) else {
            return vec![format!("{place}: there is no operation {:?}", self.target())];
        };
        let given = self.written["parameters"].as_object().cloned().unwrap_or_default();
        let mut faults = Vec::new();
        for parameter in parameters(document, operation).filter(|parameter| parameter["required"] == true) {
            let name = parameter["name"].as_str().unwrap_or_default();
            if !given.contains_key(name) {
                faults.push(format!("{place}: {} requires {name}", self.target()));
            }
        }
        for (name, expression) in &given {
            if !parameters(document, operation).any(|parameter| parameter["name"] == name.as_str()) {
                faults.push(format!("{place}: {} has no parameter {name}", self.target()));
            }
            if !expression.as_str().is_some_and(|expression| self.has(document, expression)) {
                faults.push(format!("{place}: there is no text at {expression}"));
            }
        }
        faults
    }

    /// Returns true if a runtime expression (OpenAPI 3.0.3, "Runtime Expressions") refers to a text of the response or of the request.
    fn has(&self, document: &Value, expression: &str) -> bool {
        if let Some(pointer) = expression.strip_prefix("$response.body#") {
            let schema = &self.response["content"]["application/json"]["schema"];
            return member(document, schema, pointer).is_some_and(|schema| schema["type"] == "string");
        }
        if let Some(name) = expression.strip_prefix("$response.header.") {
            return self.response["headers"].get(name).is_some();
        }
        let Some((place, name)) = expression.strip_prefix("$request.").and_then(|rest| rest.split_once('.')) else {
            return false;
        };
        parameters(document, self.operation).any(|parameter| parameter["in"] == place && parameter["name"] == name)
    }
}

fn parameters<'a>(document: &'a Value, operation: &'a Value) -> impl Iterator<Item = &'a Value> {
    let list = operation["parameters"].as_array().into_iter().flatten();
    list.map(move |parameter| resolve(document, parameter))
}

/// Returns the schema at a JSON pointer into values of this schema.
fn member<'a>(document: &'a Value, schema: &'a Value, pointer: &str) -> Option<&'a Value> {
    let mut schema = resolve(document, schema);
    for step in pointer.split('/').skip(1) {
        let parts = schema["allOf"].as_array().into_iter().flatten().map(|part| resolve(document, part));
        let mut objects = std::iter::once(schema).chain(parts);
        let below = if step.parse::<usize>().is_ok() {
            &schema["items"]
        } else {
            objects.find_map(|object| object["properties"].get(step))?
        };
        let below = below.get("allOf").map_or(below, |parts| &parts[0]);
        schema = (!below.is_null()).then(|| resolve(document, below))?;
    }
    Some(schema)
}

fn resolve<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere")),
        None => part,
    }
}
