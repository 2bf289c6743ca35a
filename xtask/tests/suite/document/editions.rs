//! The 3.1 edition says what the document says: every example is valid in both, and mutated examples get the same verdict in both.
//!
//! `openapi.yaml` is judged as JSON Schema Draft 4, on which OpenAPI 3.0 is based; the edition as JSON Schema 2020-12.

use std::cell::RefCell;
use std::path::Path;
use std::process::Command;

use jsonschema::{Draft, Validator};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use xtask::composition::compose;
use xtask::openapi_3_1::openapi_3_1;

use super::source;

/// The edition, as `cargo xtask codegen` committed it.
const COMMITTED: &str = "../server-stub/assets/openapi-3.1.json";

fn edition_of(document: &Value) -> Result<Value, String> {
    let edition = openapi_3_1(&document.to_string()).map_err(|error| format!("{error:#}"))?;
    Ok(serde_json::from_str(&edition).expect("the edition is JSON"))
}

fn edition() -> Value {
    edition_of(&source::document()).expect("the document has an edition")
}

#[test]
fn the_command_prints_what_is_committed() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["document", "--edition", "3.1"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let committed = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED)).unwrap();
    assert!(output.stdout == committed, "run `cargo xtask codegen` and commit the result");
}

#[test]
fn it_has_the_same_operations_and_the_events_as_webhooks() {
    let (document, edition) = (source::document(), edition());
    assert_eq!(edition["openapi"], "3.1.0");
    let places = |document: &Value, section: &str| -> Vec<_> {
        source::operations_of(document, section).into_iter().map(|(place, _)| place).collect()
    };
    assert_eq!(places(&document, "paths"), places(&edition, "paths"));
    let mut events = places(&document, "x-webhooks");
    events.retain(|event| !["post *", "post unknown"].contains(&event.as_str()));
    assert_eq!(events, places(&edition, "webhooks"));
    assert!(events.contains(&"post article.published".to_owned()) && edition.get("x-webhooks").is_none());
}

#[test]
fn nothing_of_it_is_of_version_3_0_only() {
    let edition = edition();
    source::for_each_object(&edition, &mut |pointer, object| {
        let is_data = ["/examples/", "/example", "/value"].iter().any(|part| pointer.contains(part));
        if is_data {
            return;
        }
        for name in ["nullable", "exclusiveMinimum", "exclusiveMaximum"] {
            assert!(!object.get(name).is_some_and(Value::is_boolean), "{pointer} has {name}");
        }
        let is_schema = pointer.contains("/schemas/") || pointer.ends_with("/schema");
        assert!(!is_schema || !object.contains_key("example"), "{pointer} has `example` in a schema");
        let wraps = object.get("allOf").and_then(Value::as_array).is_some_and(|parts| parts.len() == 1);
        assert!(!wraps, "{pointer} has `allOf` with one part");
        for text in object.values().filter_map(Value::as_str) {
            for word in ["`x-webhooks`", "`nullable"] {
                assert!(!text.contains(word), "{pointer} speaks of {word}: change `description` of the edition");
            }
        }
    });
}

#[test]
fn security_has_the_scope_of_each_operation() {
    for (place, operation) in source::operations_of(&edition(), "paths") {
        let expected = match operation["x-required-scope"].as_str() {
            Some(scope) => json!([{ "platform_key": [scope] }]),
            None => json!([]),
        };
        assert_eq!(operation["security"], expected, "{place}");
    }
}

#[test]
fn it_keeps_the_order_of_the_document() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml")).unwrap();
    let edition = openapi_3_1(&text).unwrap();
    let places = ["\"openapi\"", "\"info\"", "\"/api/v1/generate\"", "\"/api/v1/websites\"", "\"GenerateRequest\""];
    let found = places.map(|place| edition.find(place));
    assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{found:?}");
}

#[test]
fn null_is_allowed_where_the_place_and_the_component_allow_it() {
    let schema = |allowed: &Value| {
        let null_only = json!({ "type": "object", "nullable": true });
        let members = json!({
            "both": { "type": "object", "nullable": true, "allOf": [{ "$ref": "#/components/schemas/Null" }] },
            "component": { "allOf": [{ "$ref": "#/components/schemas/Null" }] },
            "bare": { "$ref": "#/components/schemas/Null" },
            "typed": { "type": "object", "allOf": [{ "$ref": "#/components/schemas/Null" }] },
            "value": allowed,
        });
        json!({
            "openapi": "3.0.3", "info": { "title": "Nulls", "version": "1" }, "paths": {}, "x-webhooks": {},
            "components": { "schemas": { "Null": null_only, "Holder": { "type": "object", "properties": members } } }
        })
    };
    let document = schema(&json!({ "type": "string", "nullable": true, "enum": ["a"] }));
    let both = Editions::of(&document, edition_of(&document).unwrap());
    let validators = both.validators("/components/schemas/Holder");
    for (name, is_allowed) in [("both", true), ("component", true), ("bare", true), ("typed", false)] {
        assert_eq!(validators.verdict(&json!({ name: null })), is_allowed, "{name}");
    }
    // Version 3.0.3 wants null among the values too, and 3.1 has to be given it.
    let refused =
        schema(&json!({ "type": "object", "nullable": true, "allOf": [{ "$ref": "#/components/schemas/Holder" }] }));
    let refusal = edition_of(&refused).unwrap_err();
    assert!(refusal.contains("add it in both places"), "{refusal}");
    let refusal = edition_of(&schema(&json!({ "type": "integer", "multipleOf": 2 }))).unwrap_err();
    assert!(refusal.contains("the schema keyword `multipleOf` has no translation"), "{refusal}");
}

#[test]
fn every_example_is_valid_in_both() {
    let both = Editions::of(&source::document(), edition());
    let examples = both.examples();
    assert!(examples.len() > 300, "only {} examples were found", examples.len());
    for (place, example) in &examples {
        let validators = both.validators(place);
        let [old, new] = [&validators.draft4, &validators.draft2020]
            .map(|validator| validator.iter_errors(example).map(|error| error.to_string()).collect::<Vec<_>>());
        assert!(old.is_empty() && new.is_empty(), "{place}: {old:?} {new:?} {example}");
    }
}

#[test]
fn a_mutated_example_gets_the_same_verdict_in_both() {
    let both = Editions::of(&source::document(), edition());
    let examples = both.examples();
    let verdicts = RefCell::new([0, 0]);
    let strategy = (any::<Index>(), prop::collection::vec((any::<Index>(), mutation()), 1..3));
    TestRunner::new(Config { cases: 256, failure_persistence: None, ..Config::default() })
        .run(&strategy, |(example, mutations)| {
            let (place, example) = example.get(&examples);
            let mut value = example.clone();
            for (index, mutation) in &mutations {
                mutate(&mut value, *index, mutation);
            }
            // A component is never null itself in 3.1: what refers to it is.
            prop_assume!(!value.is_null());
            let verdict = both.validators(place).verdict(&value);
            verdicts.borrow_mut()[usize::from(verdict)] += 1;
            Ok(())
        })
        .unwrap();
    let [refused, accepted] = verdicts.into_inner();
    assert!(refused > 20 && accepted > 20, "{refused} refused, {accepted} accepted");
}

/// A change of a value.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Value),
    RemoveMember(Index),
    AddMember(String, Value),
    Repeat(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    // A number such as 3.0 is an integer in 2020-12 and not in Draft 4. The document's text refuses it in both.
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop_oneof![-2_i64..102, any::<i64>()].prop_map(Value::from),
        Just(json!(1.5)),
        prop_oneof!["[a-z]{0,3}", "[\\s\u{85}]{1,3}", ".{0,50}", ".{250,300}"].prop_map(Value::from),
        Just(json!("2026-11-02T08:00:00.000Z")),
        Just(json!([])),
        Just(json!({})),
    ];
    prop_oneof![
        4 => value.clone().prop_map(Mutation::Replace),
        2 => any::<Index>().prop_map(Mutation::RemoveMember),
        2 => (prop_oneof!["[a-z_]{0,8}", ".{38,44}"], value).prop_map(|(name, value)| Mutation::AddMember(name, value)),
        1 => (1_usize..40).prop_map(Mutation::Repeat),
    ]
}

/// Applies a mutation to one of the values inside of a value, or to all of it.
fn mutate(value: &mut Value, index: Index, mutation: &Mutation) {
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(pointer) = pointers.get(next).cloned() {
        match value.pointer(&pointer) {
            Some(Value::Object(members)) => pointers
                .extend(members.keys().map(|name| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")))),
            Some(Value::Array(items)) => pointers.extend((0..items.len()).map(|index| format!("{pointer}/{index}"))),
            _ => {}
        }
        next += 1;
    }
    let pointer: &String = index.get(&pointers);
    let target = value.pointer_mut(pointer).expect("the pointer was made from the value");
    match (mutation, target) {
        (Mutation::Replace(new), target) => *target = new.clone(),
        (Mutation::RemoveMember(index), Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(index.index(members.len())).cloned().expect("the map is not empty");
            members.remove(&name);
        }
        (Mutation::AddMember(name, new), Value::Object(members)) => drop(members.insert(name.clone(), new.clone())),
        (Mutation::Repeat(times), Value::Array(items)) => {
            let all = items.clone();
            (0..*times).for_each(|_| items.extend(all.iter().cloned()));
        }
        (Mutation::Repeat(times), Value::String(text)) => *text = text.repeat(*times),
        (_, target) => *target = Value::Null,
    }
}

/// The document and its edition, ready for validators.
struct Editions {
    draft4: Value,
    /// The same with composed schemas merged, as the edition has them.
    composed: Value,
    draft2020: Value,
}

/// The validators of one schema.
struct Validators {
    draft4: Validator,
    draft2020: Validator,
}

impl Validators {
    fn verdict(&self, value: &Value) -> bool {
        let verdict = self.draft2020.is_valid(value);
        assert_eq!(self.draft4.is_valid(value), verdict, "{value}");
        verdict
    }
}

impl Editions {
    fn of(document: &Value, mut edition: Value) -> Self {
        let (mut draft4, mut composed) = (document.clone(), document.clone());
        compose(&mut composed);
        to_draft4(&mut draft4);
        to_draft4(&mut composed);
        // The same place in both.
        let hooks = edition["webhooks"].take();
        edition["x-webhooks"] = hooks;
        Self { draft4, composed, draft2020: edition }
    }

    /// Every example of the edition with the place of its schema.
    fn examples(&self) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        source::for_each_object(&self.draft2020, &mut |pointer, object| collect(pointer, object, &mut found));
        found
    }

    fn validators(&self, place: &str) -> Validators {
        let fragment = place.replace('{', "%7B").replace('}', "%7D");
        let root = |document: &Value| {
            let mut root = json!({ "allOf": [{ "$ref": format!("#{fragment}") }] });
            for section in ["components", "paths", "x-webhooks"] {
                root[section] = document[section].clone();
            }
            root
        };
        let build = |draft, root: &Value| {
            let options = jsonschema::options().with_draft(draft).should_validate_formats(true);
            // Draft 4 does not know this format.
            let options = options.with_format("uri-reference", |text: &str| !text.contains([' ', '\\', '^']));
            options.build(root).unwrap_or_else(|error| panic!("the schema at {place} is not usable: {error}"))
        };
        // A property of a composed schema has another place in the document.
        let draft4 = if self.draft4.pointer(place).is_some() { &self.draft4 } else { &self.composed };
        Validators {
            draft4: build(Draft::Draft4, &root(draft4)),
            draft2020: build(Draft::Draft202012, &root(&self.draft2020)),
        }
    }
}

/// Notes the examples of an object: of a schema, or beside one.
fn collect(pointer: &str, object: &Map<String, Value>, found: &mut Vec<(String, Value)>) {
    if ["/examples/", "/example/", "/value/"].iter().any(|part| pointer.contains(part)) || pointer.ends_with("/value") {
        return;
    }
    if object.contains_key("schema") {
        let schema = format!("{pointer}/schema");
        found.extend(object.get("example").map(|example| (schema.clone(), example.clone())));
        let named = object.get("examples").and_then(Value::as_object).into_iter().flatten();
        found.extend(named.map(|(_, example)| (schema.clone(), example["value"].clone())));
    } else if pointer.contains("/schemas/") {
        let examples = object.get("examples").and_then(Value::as_array).into_iter().flatten();
        found.extend(examples.map(|example| (pointer.to_owned(), example.clone())));
    }
}

/// Rewrites what OpenAPI 3.0 adds to JSON Schema, and two extension keywords, in words of Draft 4.
fn to_draft4(tree: &mut Value) {
    match tree {
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true))
                && let Some(kind) = members.get("type").cloned()
            {
                members.insert("type".to_owned(), json!([kind, "null"]));
                if let Some(values) = members.get_mut("enum").and_then(Value::as_array_mut) {
                    values.push(Value::Null);
                }
            }
            if let Some(length) = members.get("x-key-length") {
                let names = format!("^[\\s\\S]{{{},{}}}$", length["min"], length["max"]);
                let values = members.insert("additionalProperties".to_owned(), json!(false));
                members.insert("patternProperties".to_owned(), json!({ names: values }));
            }
            if members.get("x-trimmed-length").is_some_and(|length| length["min"] == 1) {
                members.insert("not".to_owned(), json!({ "pattern": "^[\\p{White_Space}]*$" }));
            }
            members.values_mut().for_each(to_draft4);
        }
        Value::Array(items) => items.iter_mut().for_each(to_draft4),
        _ => {}
    }
}
