//! The API document as a source of valid responses.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Operations of the service description, with the fields that their responses promise.
pub(crate) const DOCUMENTED: [(&str, &[&str]); 2] = [("generate", &["job_id"]), ("get_article", &[])];

/// The parsed document.
pub(crate) struct Document(Value);

impl Document {
    pub(crate) fn read() -> Self {
        let text = include_str!("../../../openapi.yaml");
        let mut document = serde_saphyr::from_str(text).expect("the document is YAML");
        compose(&mut document);
        Self(document)
    }

    /// Names of the operations with a JSON response.
    pub(crate) fn operations(&self) -> Vec<String> {
        self.all_operations()
            .filter(|operation| {
                let responses = operation["responses"].as_object().into_iter().flatten();
                let mut successes = responses.filter(|(status, _)| status.starts_with('2'));
                successes.any(|(_, success)| success.pointer("/content/application~1json").is_some())
            })
            .filter_map(|operation| operation.get("operationId")?.as_str().map(str::to_owned))
            .collect()
    }

    fn all_operations(&self) -> impl Iterator<Item = &Value> {
        let items = self.0["paths"].as_object().into_iter().flatten();
        items.flat_map(|(_, item)| item.as_object().into_iter().flatten().map(|(_, operation)| operation))
    }

    /// Schema of an operation's successful response.
    pub(crate) fn answer_schema(&self, operation: &str) -> &Value {
        let is_it = |item: &&Value| item.get("operationId").and_then(Value::as_str) == Some(operation);
        let found = self.all_operations().find(is_it);
        let responses = found.expect("the operation is in the document")["responses"].as_object();
        let success = responses.into_iter().flatten().find(|(status, _)| status.starts_with('2'));
        let (_, success) = success.expect("the operation has a success");
        &success["content"]["application/json"]["schema"]
    }

    pub(crate) fn component(&self, name: &str) -> &Value {
        &self.0["components"]["schemas"][name]
    }

    /// Pattern of a parameter.
    pub(crate) fn parameter_pattern(&self, name: &str) -> &str {
        let pattern = &self.0["components"]["parameters"][name]["schema"]["pattern"];
        pattern.as_str().expect("the parameter has a pattern").trim_start_matches('^').trim_end_matches('$')
    }

    /// Valid responses of an operation.
    pub(crate) fn answers_of(&self, operation: &str) -> BoxedStrategy<Value> {
        self.values_of(self.answer_schema(operation))
    }

    /// Resolves the references of a schema.
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let reference = schema.get("$ref").or_else(|| schema.pointer("/allOf/0/$ref")).and_then(Value::as_str);
        match reference.and_then(|text| text.strip_prefix("#/components/schemas/")) {
            Some(name) => self.resolved(self.component(name)),
            None => schema,
        }
    }

    /// Valid values of a schema: all required fields, any of the others, null where it is allowed.
    pub(crate) fn values_of(&self, schema: &Value) -> BoxedStrategy<Value> {
        let nullable = schema.get("nullable") == Some(&Value::Bool(true));
        let schema = self.resolved(schema);
        let values = match schema["type"].as_str() {
            Some("object") => self.objects_of(schema),
            Some("array") => {
                let most = schema["maxItems"].as_u64().unwrap_or(2).min(2);
                let items = prop::collection::vec(
                    self.values_of(&schema["items"]),
                    0..=usize::try_from(most).expect("two at most"),
                );
                items.prop_map(Value::from).boxed()
            }
            Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
            Some("integer") => {
                let bound = |name: &str, otherwise| schema[name].as_i64().unwrap_or(otherwise);
                (bound("minimum", 0)..=bound("maximum", 1 << 20)).prop_map(Value::from).boxed()
            }
            Some("string") => words_of(schema),
            other => panic!("a schema of type {other:?} in a response: {schema}"),
        };
        if nullable { prop_oneof![3 => values, 1 => Just(Value::Null)].boxed() } else { values }
    }

    fn objects_of(&self, schema: &Value) -> BoxedStrategy<Value> {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut objects = Just(Map::new()).boxed();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let values = self.values_of(member);
            let values = if required.contains(&name.as_str()) {
                values.prop_map(Some).boxed()
            } else {
                prop::option::of(values).boxed()
            };
            let name = name.clone();
            objects = (objects, values)
                .prop_map(move |(mut object, value)| {
                    object.extend(value.map(|value| (name.clone(), value)));
                    object
                })
                .boxed();
        }
        objects.prop_map(Value::from).boxed()
    }

    /// Places in a value where the document has an object that may get new fields.
    pub(crate) fn objects_in(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut places = Vec::new();
        self.walk(schema, value, "", &mut |place, schema, value| {
            if value.is_object() && !schema.get("additionalProperties").is_some_and(Value::is_object) {
                places.push(place.to_owned());
            }
        });
        places
    }

    /// Places in a value with a word of an open vocabulary.
    pub(crate) fn open_words_in(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut places = Vec::new();
        self.walk(schema, value, "", &mut |place, schema, value| {
            if value.is_string() && schema.get("x-extensible-enum").is_some() {
                places.push(place.to_owned());
            }
        });
        places
    }

    fn walk(&self, schema: &Value, value: &Value, place: &str, visit: &mut dyn FnMut(&str, &Value, &Value)) {
        let schema = self.resolved(schema);
        visit(place, schema, value);
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = value.get(name) {
                self.walk(member, value, &format!("{place}/{name}"), visit);
            }
        }
        for (position, item) in value.as_array().into_iter().flatten().enumerate() {
            self.walk(&schema["items"], item, &format!("{place}/{position}"), visit);
        }
    }
}

/// Valid texts of a schema.
fn words_of(schema: &Value) -> BoxedStrategy<Value> {
    for vocabulary in ["enum", "x-extensible-enum"] {
        if let Some(words) = schema[vocabulary].as_array() {
            return prop::sample::select(words.clone()).boxed();
        }
    }
    match (schema["format"].as_str(), schema.get("pattern")) {
        (Some("date-time"), _) => (2000..2100_u32, 1..=12_u32, 0..1000_u32)
            .prop_map(|(year, month, milliseconds)| json!(format!("{year}-{month:02}-28T23:59:59.{milliseconds:03}Z")))
            .boxed(),
        (None, None) => "\\PC{1,20}".prop_map(Value::from).boxed(),
        _ => Just(schema["example"].clone()).boxed(),
    }
}

/// Merges each component that is an `allOf` of several objects into one object. Later properties replace earlier ones of the same name.
fn compose(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    for (name, schema) in &schemas {
        let parts = schema["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        if parts.len() < 2 {
            continue;
        }
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for part in parts {
            let target = part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
            let part = target.and_then(|name| schemas.get(name)).unwrap_or(part);
            properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
            required.extend(part["required"].as_array().into_iter().flatten().cloned());
        }
        document["components"]["schemas"][name] =
            json!({ "type": "object", "properties": properties, "required": required });
    }
}
