//! Tests of the pipeline on small documents: rejected documents with their error messages, and the output.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::document::Document;
use super::source::{generated_source, source};
use super::{generator, lower};

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

fn refusal(document: &Value) -> String {
    format!("{:#}", generated_source(&document.to_string()).expect_err("the document is refused"))
}

fn lowered(document: &Value) -> Value {
    let document = Document::parse(&document.to_string()).expect("the document is taken");
    let lowered = lower::lower(&document).expect("the document is taken");
    serde_json::to_value(lowered).expect("the document can be written")
}

/// Returns a fact about an operation in the generated table.
fn fact<'a>(source: &'a str, id: &str, name: &str) -> &'a str {
    let operation = source.split_once(&format!("id: {id:?},")).expect("the operation is in the table").1;
    let value = operation.split_once(&format!("{name}: ")).expect("the table has the fact").1;
    value.split_once(",\n").expect("a fact ends with a comma").0
}

#[test]
fn two_names_that_are_one_in_rust_are_refused() {
    let schemas = json!({ "Thing": { "type": "object", "properties": {
        "first_name": { "type": "string" }, "firstName": { "type": "string" } } } });
    let refusal = refusal(&document(schemas, thing()));
    assert!(refusal.contains("`Thing`") && refusal.contains("`first_name` in Rust"), "{refusal}");
}

#[test]
fn an_inline_answer_is_refused() {
    let inline = json!({ "type": "object", "properties": {} });
    assert!(refusal(&document(json!({}), inline)).contains("its 200 response has an inline schema"));
}

#[test]
fn an_inline_object_in_a_schema_is_refused() {
    let schemas = json!({ "Thing": { "type": "object", "properties": {
        "list": { "type": "array", "items": { "type": "object", "properties": { "a": { "type": "string" } } } } } } });
    assert!(refusal(&document(schemas, thing())).contains("the schema `Thing`: it has an inline object"));
}

#[test]
fn two_success_schemas_are_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["202"] = json!({ "description": "accepted" });
    assert!(refusal(&document).contains("it has two success schemas"));
}

#[test]
fn an_error_that_is_no_problem_is_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["404"] =
        json!({ "description": "no", "content": { "application/json": { "schema": thing() } } });
    assert!(refusal(&document).contains("response is not a `Problem`"));
}

#[test]
fn json_without_a_schema_is_refused() {
    let mut document = document(json!({}), thing());
    document["paths"]["/things/{id}"]["get"]["responses"]["200"]["content"] = json!({ "application/json": {} });
    assert!(refusal(&document).contains("JSON without a schema"));
}

#[test]
fn of_several_media_types_the_client_takes_json_and_what_answers_none_is_left_out() {
    let mut document = document(json!({}), thing());
    let form = json!({ "schema": { "$ref": "#/components/schemas/Form" } });
    document["components"]["schemas"]["Form"] =
        json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    document["components"]["responses"]["Page"] = json!({ "description": "a page", "content": { "text/html": form } });
    let mut change = document["paths"]["/things/{id}"]["get"].clone();
    change["operationId"] = json!("change_thing");
    change["requestBody"] =
        json!({ "content": { "application/json": { "schema": thing() }, "application/x-www-form-urlencoded": form } });
    change["responses"]["200"]["content"]["text/html"] = form.clone();
    document["paths"]["/things/{id}"]["post"] = change;
    for (path, response) in [
        ("/page", json!({ "description": "a page", "content": { "text/html": form } })),
        ("/named", json!({ "$ref": "#/components/responses/Page" })),
    ] {
        document["paths"][path]["get"] = json!({ "operationId": "show_page", "responses": { "200": response } });
    }
    let lowered = lowered(&document);
    let post = &lowered["paths"]["/things/{id}"]["post"];
    for content in [&post["requestBody"]["content"], &post["responses"]["2XX"]["content"]] {
        assert_eq!(content, &json!({ "application/json": { "schema": thing() } }));
    }
    assert_eq!(lowered["paths"].as_object().map(serde_json::Map::len), Some(1), "{lowered}");
    assert_eq!(lowered["components"]["schemas"].get("Form"), None);
}

#[test]
fn what_needs_no_key_is_the_documents_and_its_body_shows_nothing_of_a_person() {
    let mut document = document(json!({}), thing());
    document["components"]["schemas"]["Thing"]["x-personal-data"] = json!(true);
    let mut tell = document["paths"]["/things/{id}"]["get"].clone();
    tell["operationId"] = json!("tell_thing");
    tell["security"] = json!([]);
    tell["requestBody"] = json!({ "content": { "application/json": { "schema": thing() } } });
    document["paths"]["/things/{id}"]["post"] = tell;
    let source = generated_source(&document.to_string()).expect("the document is taken");
    assert_eq!(fact(&source, "tell_thing", "key"), "KeyUse::Never");
    assert_eq!(fact(&source, "get_thing", "key"), "KeyUse::Required");
    assert!(source.contains("::std::fmt::Debug for Thing "), "{source}");
}

#[test]
fn a_union_without_a_discriminator_is_refused() {
    let either = json!({ "$ref": "#/components/schemas/Either" });
    let document = document(json!({ "Either": { "oneOf": [thing()] } }), either);
    assert!(refusal(&document).contains("`Either` is a `oneOf` without a `discriminator`"));
}

#[test]
fn a_reference_to_nothing_is_refused() {
    let schemas =
        json!({ "Thing": { "type": "object", "properties": { "part": { "$ref": "#/components/schemas/Part" } } } });
    assert!(refusal(&document(schemas, thing())).contains("refers to `Part`, which is not in the document"));
}

#[test]
fn answers_lose_their_bounds_and_keep_unknown_members() {
    let schemas = json!({ "Thing": { "type": "object", "required": ["name", "maybe"], "properties": {
        "name": { "type": "string", "maxLength": 3, "pattern": "^a" },
        "maybe": { "type": "string", "nullable": true },
        "count": { "type": "integer", "minimum": 1, "maximum": 9 } } } });
    let lowered = lowered(&document(schemas, thing()));
    let thing = &lowered["components"]["schemas"]["Thing"];
    assert_eq!(thing["properties"]["name"], json!({ "type": "string" }));
    assert_eq!(thing["properties"]["count"], json!({ "type": "integer", "format": "uint32" }));
    assert_eq!(thing["required"], json!(["name"]));
    assert_eq!(thing["additionalProperties"], json!({}));
}

#[test]
fn what_is_not_promised_to_core_may_be_missing() {
    let members = json!({ "id": { "type": "string" }, "name": { "type": "string" } });
    let schemas = |core: Value| json!({ "Thing": { "type": "object", "required": ["id", "name"], "properties": members, "x-core-required": core } });
    let promised = lowered(&document(schemas(json!(["id"])), thing()));
    assert_eq!(promised["components"]["schemas"]["Thing"]["required"], json!(["id"]));
    let source = generated_source(&document(schemas(json!([])), thing()).to_string()).expect("the document is taken");
    assert_eq!(source.matches("readable_or_default").count(), 2, "{source}");
}

#[test]
fn what_may_be_repeated_and_which_statuses_are_expected_is_the_documents() {
    let mut document = document(json!({}), thing());
    let mut change = document["paths"]["/things/{id}"]["get"].clone();
    change["operationId"] = json!("change_thing");
    change["responses"]["200"]["x-core-status"] = json!("2XX");
    document["paths"]["/things/{id}"]["post"] = change;
    let source = |document: &Value| generated_source(&document.to_string()).expect("the document is taken");
    let once = source(&document);
    assert_eq!(
        [fact(&once, "get_thing", "is_repeatable"), fact(&once, "change_thing", "is_repeatable")],
        ["true", "false"]
    );
    assert_eq!(fact(&once, "get_thing", "successes"), "200u16..=200u16");
    assert_eq!(fact(&once, "change_thing", "successes"), "200u16..=299u16");
    document["paths"]["/things/{id}"]["post"]["x-repeatable"] = json!(true);
    assert_eq!(fact(&source(&document), "change_thing", "is_repeatable"), "true");
}

#[test]
fn a_filter_by_a_state_takes_the_state_that_was_read() {
    let schemas = json!({
        "Thing": { "type": "object", "properties": { "state": { "$ref": "#/components/schemas/State" } } },
        "State": { "type": "string", "x-extensible-enum": ["on", "off"] },
        "Filter": { "type": "string", "enum": ["off", "on"] },
        "Wider": { "type": "string", "enum": ["off", "on", "broken"] },
        "Unused": { "type": "object", "properties": { "state": { "$ref": "#/components/schemas/State" } } }
    });
    let mut document = document(schemas, thing());
    document["x-webhooks"] = json!({ "$ref": "#/components/schemas/Unused" });
    let parameters = document["paths"]["/things/{id}"]["get"]["parameters"].as_array_mut().expect("there is one");
    for (name, schema) in [("state", "Filter"), ("wider", "Wider")] {
        let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
        parameters.push(json!({ "name": name, "in": "query", "schema": schema }));
    }
    let source = generated_source(&document.to_string()).expect("the document is taken");
    assert!(source.contains("IntoOption<crate::generated::types::State>"), "{source}");
    assert!(source.contains("IntoOption<types::Wider>"), "{source}");
    assert!(!source.contains("Filter") && !source.contains("Unused"), "{source}");
}

#[test]
fn what_personal_data_may_be_in_is_not_shown_whatever_it_is_called() {
    let schemas = json!({
        "Thing": { "type": "object", "properties": {
            "box": { "$ref": "#/components/schemas/Box" }, "plain": { "$ref": "#/components/schemas/Plain" },
            "open": { "$ref": "#/components/schemas/Open" } } },
        "Box": { "type": "object", "properties": {
            "leads": { "type": "array", "items": { "$ref": "#/components/schemas/Lead" } } } },
        "Lead": { "type": "object", "x-personal-data": true, "properties": {
            "id": { "type": "string" }, "email": { "type": "string" }, "habits": { "$ref": "#/components/schemas/Habits" } } },
        "Habits": { "type": "object", "x-personal-data": true, "properties": { "hobby": { "type": "string" } } },
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
    assert!(first.contains("crate::shapes::vocabulary!") && !first.contains("struct State"), "{first}");
    assert!(
        first.contains("&[(\"id\", id.into())]") && first.contains("GetThing = GET_THING -> types::Thing"),
        "{first}"
    );
    assert!(!first.contains("progenitor") && !first.contains("api-version"), "{first}");
}

#[test]
fn the_progenitor_before_gives_the_same_client_and_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml");
    let text = fs::read_to_string(path).expect("the document is there");
    let document = Document::parse(&text).expect("the document is taken");
    let before = generator::generate_by_0_14(&document).expect("its output is read");
    let before = source(&document, before).expect("its output is finished");
    let now = generated_source(&text).expect("the document is taken");
    let client = |source: &str| source.split_once("impl crate::Client").expect("there is a client").1.to_owned();
    assert_eq!(client(&before), client(&now));
    // The types with their members; attributes are spelled otherwise, and the order is another one.
    let members = |source: &str| {
        let mut lines: Vec<_> =
            source.lines().map(str::trim).filter(|line| line.starts_with("pub ")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(members(&before), members(&now));
}
