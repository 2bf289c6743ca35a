//! Tests of the pipeline on small documents: what it refuses, and in which words; what it writes.

use serde_json::{Value, json};

use super::command::generated_source;
use super::lower::lower;

/// A document with one operation that answers with the schemas that are given.
#[expect(clippy::needless_pass_by_value, reason = "the callers read better without borrowing")]
fn document(schemas: Value, answer: Value) -> Value {
    let mut document = json!({
        "openapi": "3.0.3",
        "info": { "title": "Small", "version": "1.0.0" },
        "paths": { "/things/{id}": { "get": {
            "operationId": "get_thing",
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
            "responses": { "200": { "description": "a thing", "content": { "application/json": { "schema": answer } } } }
        } } },
        "components": { "schemas": schemas }
    });
    if document["components"]["schemas"].get("Thing").is_none() {
        document["components"]["schemas"]["Thing"] =
            json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    }
    document
}

fn thing() -> Value {
    json!({ "$ref": "#/components/schemas/Thing" })
}

fn refusal(document: Value) -> String {
    lower(document).expect_err("the document is refused").to_string()
}

#[test]
fn two_names_that_are_one_in_rust_are_refused() {
    let schemas = json!({ "Thing": { "type": "object", "properties": {
        "first_name": { "type": "string" }, "firstName": { "type": "string" } } } });
    let refusal = refusal(document(schemas, thing()));
    assert!(
        refusal.contains("`Thing`") && refusal.contains("first_name") && refusal.contains("firstName"),
        "{refusal}"
    );
}

#[test]
fn an_inline_answer_is_refused() {
    let inline = json!({ "type": "object", "properties": {} });
    assert!(refusal(document(json!({}), inline)).contains("`get_thing` has an inline schema"));
}

#[test]
fn an_inline_object_in_a_schema_is_refused() {
    let schemas = json!({ "Thing": { "type": "object", "properties": {
        "list": { "type": "array", "items": { "type": "object", "properties": { "a": { "type": "string" } } } } } } });
    assert!(refusal(document(schemas, thing())).contains("`Thing` has an inline object"));
}

#[test]
fn two_success_schemas_are_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["202"] = json!({ "description": "accepted" });
    assert!(refusal(document).contains("has one success schema"));
}

#[test]
fn an_error_that_is_no_problem_is_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["404"] =
        json!({ "description": "no", "content": { "application/json": { "schema": thing() } } });
    assert!(refusal(document).contains("every error response is a `Problem`"));
}

#[test]
fn json_without_a_schema_is_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["200"]["content"] = json!({ "application/json": {} });
    assert!(refusal(document).contains("JSON without a schema"));
}

#[test]
fn a_union_without_a_discriminator_is_refused() {
    let mut document = document(json!({ "Either": { "oneOf": [thing()] } }), thing());
    document["x-webhooks"] = json!({ "$ref": "#/components/schemas/Either" });
    assert!(refusal(document).contains("`Either` is a `oneOf` without a `discriminator`"));
}

#[test]
fn a_reference_to_nothing_is_refused() {
    let schemas =
        json!({ "Thing": { "type": "object", "properties": { "part": { "$ref": "#/components/schemas/Part" } } } });
    assert!(refusal(document(schemas, thing())).contains("refers to `Part`, which is not in the document"));
}

#[test]
fn answers_lose_their_bounds_and_keep_unknown_members() {
    let schemas = json!({ "Thing": { "type": "object", "required": ["name", "maybe"], "properties": {
        "name": { "type": "string", "maxLength": 3, "pattern": "^a" },
        "maybe": { "type": "string", "nullable": true },
        "count": { "type": "integer", "minimum": 1, "maximum": 9 } } } });
    let lowered = lower(document(schemas, thing())).expect("the document is taken").document;
    let thing = &lowered["components"]["schemas"]["Thing"];
    assert_eq!(thing["properties"]["name"], json!({ "type": "string" }));
    assert_eq!(thing["properties"]["count"], json!({ "type": "integer", "format": "uint32" }));
    assert_eq!(thing["required"], json!(["name"]));
    assert_eq!(thing["additionalProperties"], json!({}));
}

#[test]
fn the_core_projection_relaxes_the_documented_operations_only() {
    let mut document = document(
        json!({ "Article": { "type": "object", "required": ["id"], "properties": {
        "id": { "type": "string" } } } }),
        json!({ "$ref": "#/components/schemas/Article" }),
    );
    let mut other = document["paths"]["/things/{id}"]["get"].clone();
    other["operationId"] = json!("get_other");
    other["responses"]["200"]["content"]["application/json"]["schema"] = thing();
    document["components"]["schemas"]["Thing"]["required"] = json!(["name"]);
    document["paths"]["/things/{id}"]["get"]["operationId"] = json!("get_article");
    document["paths"]["/others/{id}"] = json!({ "get": other });
    let lowered = lower(document).expect("the document is taken").document;
    assert_eq!(lowered["components"]["schemas"]["Article"]["required"], json!([]));
    assert_eq!(lowered["components"]["schemas"]["Thing"]["required"], json!(["name"]));
}

#[test]
fn a_state_that_was_read_converts_into_a_filter_that_has_all_its_values() {
    let states = json!({ "type": "string", "x-extensible-enum": ["on", "off"] });
    let schemas = json!({
        "Thing": { "type": "object", "properties": {
            "state": { "$ref": "#/components/schemas/State" }, "mood": { "$ref": "#/components/schemas/Mood" } } },
        "State": states, "Mood": { "type": "string", "x-extensible-enum": ["on", "cheerful"] },
        "Filter": { "type": "string", "enum": ["off", "on", "broken"] }
    });
    let mut document = document(schemas, thing());
    let parameters = document["paths"]["/things/{id}"]["get"]["parameters"].as_array_mut().expect("there is one");
    parameters.push(json!({ "name": "state", "in": "query", "schema": { "$ref": "#/components/schemas/Filter" } }));
    let source = generated_source(&document.to_string()).expect("the document is taken");
    for conversion in ["TryFrom<State> for Filter", "TryFrom<&State> for Filter"] {
        assert!(source.contains(conversion), "{source}");
    }
    assert!(!source.contains("TryFrom<Mood>"), "a mood may be one that the filter has not: {source}");
}

#[test]
fn what_a_lead_may_be_in_is_not_shown_whatever_it_is_called() {
    let schemas = json!({
        "Thing": { "type": "object", "properties": {
            "box": { "$ref": "#/components/schemas/Box" }, "plain": { "$ref": "#/components/schemas/Plain" },
            "open": { "$ref": "#/components/schemas/Open" } } },
        "Box": { "type": "object", "properties": {
            "leads": { "type": "array", "items": { "$ref": "#/components/schemas/Lead" } } } },
        "Lead": { "type": "object", "properties": {
            "id": { "type": "string" }, "email": { "type": "string" }, "habits": { "$ref": "#/components/schemas/Habits" } } },
        "Habits": { "type": "object", "properties": { "hobby": { "type": "string" } } },
        "Open": { "type": "object", "additionalProperties": true },
        "Plain": { "type": "object", "properties": { "word": { "type": "string" } } }
    });
    let source = generated_source(&document(schemas, thing()).to_string()).expect("the document is taken");
    for hidden in ["Thing", "Box", "Lead", "Habits", "Open"] {
        assert!(source.contains(&format!("::std::fmt::Debug for {hidden} ")), "{hidden} in {source}");
    }
    assert!(!source.contains("Debug for Plain "), "{source}");
    assert!(!source.contains("&self.email") && !source.contains("&self.hobby"), "{source}");
    assert!(source.contains("field(\"id\", &self.id)") && source.contains("&self.habits"), "{source}");
}

#[test]
fn the_same_document_gives_the_same_file_twice() {
    let schemas = json!({
        "Thing": { "type": "object", "properties": { "state": { "$ref": "#/components/schemas/State" } } },
        "State": { "type": "string", "x-extensible-enum": ["on", "off"] }
    });
    let text = document(schemas, thing()).to_string();
    let first = generated_source(&text).expect("the document is taken");
    assert_eq!(first, generated_source(&text).expect("the document is taken"));
    assert!(first.starts_with("// @generated"));
    assert!(first.contains("pub enum State") && first.contains("Unknown(String)"), "{first}");
    let without_spaces = first.replace(char::is_whitespace, "");
    assert!(without_spaces.contains("encode_segment(&id)?"), "{first}");
    assert!(without_spaces.contains("crate::call::send(client,\"get_thing\",&build).await?"), "{first}");
    for of_the_generator in [
        "encode_path(&",
        "client.exec(",
        "api-version",
        "UnexpectedResponse",
        "ClientInfo<",
        "asyncfnexchange",
        "```ignore",
    ] {
        assert!(!without_spaces.contains(of_the_generator), "{of_the_generator} in {first}");
    }
}
