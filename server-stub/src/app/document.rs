//! The service's OpenAPI document and the schemas in it that requests are checked against, compiled once. How a
//! violation becomes a field error lives in `schema_violation`.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use jsonschema::{Draft, Keyword, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::error::{FieldCode, FieldError, Place};
use super::operation::Operation;
use super::schema_violation::{self, LengthViolation};
use crate::domain::clock::Timestamp;

/// The OpenAPI document, byte for byte.
pub const TEXT: &str = include_str!("../../../openapi.yaml");

/// The schemas from the document.
pub struct Document {
    generate: BodySchema,
    capture: BodySchema,
    queries: HashMap<&'static str, BTreeMap<String, ParameterSchema>>,
}

/// The schema of a body and the names of its members.
struct BodySchema {
    validator: Validator,
    members: Vec<String>,
}

/// The schema of a query parameter.
struct ParameterSchema {
    validator: Validator,
    is_integer: bool,
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Document").finish_non_exhaustive()
    }
}

impl Document {
    /// The document that this server was built with.
    pub fn embedded() -> Self {
        let root: Value = serde_saphyr::from_str(TEXT).expect("the document is read by every test of this crate");
        Self {
            generate: BodySchema::compile(&root, "/components/schemas/GenerateRequest"),
            capture: BodySchema::compile(&root, "/x-capture/schemas/LeadCapture"),
            queries: Operation::ALL
                .into_iter()
                .map(|operation| (operation.id(), query_parameters(&root, operation)))
                .collect(),
        }
    }

    /// Every schema violation of a `POST /generate` body.
    pub(super) fn check_generate(&self, body: &Value, is_strict: bool) -> Vec<FieldError> {
        self.generate.check(body, is_strict)
    }

    /// Every schema violation of a lead.
    pub(super) fn check_capture(&self, body: &Value) -> Vec<FieldError> {
        self.capture.check(body, false)
    }

    /// Sorts the query of `operation` by parameter, checked; parameters that the document does not know are left out.
    pub(super) fn check_query(
        &self,
        operation: Operation,
        pairs: &[(String, String)],
    ) -> Result<BTreeMap<String, String>, Vec<FieldError>> {
        let known = &self.queries[operation.id()];
        let mut given = BTreeMap::new();
        let mut errors = Vec::new();
        for (name, text) in pairs {
            let Some(parameter) = known.get(name) else { continue };
            let place = || Place::Parameter(name.clone());
            if given.insert(name.clone(), text.clone()).is_some() {
                let detail = "the parameter is given more than once".to_owned();
                errors.push(FieldError { code: FieldCode::InvalidFormat, place: place(), detail });
                continue;
            }
            let value = parameter.read(text);
            errors.extend(
                parameter.validator.iter_errors(&value).map(|error| schema_violation::field_error(&error, |_| place())),
            );
        }
        if errors.is_empty() { Ok(given) } else { Err(errors) }
    }
}

impl BodySchema {
    fn compile(root: &Value, pointer: &str) -> Self {
        let schema =
            root.pointer(pointer).expect("every schema that requests are checked against stands in the document");
        let schema = to_draft4(root, schema, 0);
        let members = schema["properties"].as_object().expect("a body's schema names its members");
        Self { validator: validator(&schema), members: members.keys().cloned().collect() }
    }

    fn check(&self, body: &Value, is_strict: bool) -> Vec<FieldError> {
        let mut errors = Vec::new();
        // Asking for yes or no is several times cheaper than listing the violations, and almost always enough.
        if !self.validator.is_valid(body) {
            errors.extend(
                self.validator
                    .iter_errors(body)
                    .map(|error| schema_violation::field_error(&error, |pointer| Place::Pointer(pointer.into()))),
            );
        }
        if is_strict {
            let unknown = body.as_object().into_iter().flatten().filter(|(name, _)| !self.members.contains(name));
            errors.extend(unknown.map(|(name, _)| FieldError {
                code: FieldCode::UnknownField,
                place: Place::Pointer(
                    schema_violation::fragment(&format!("/{}", schema_violation::escaped(name))).into(),
                ),
                detail: "the request has no such member".to_owned(),
            }));
        }
        schema_violation::merged(errors)
    }
}

impl ParameterSchema {
    /// The value that the text stands for in the parameter's schema.
    fn read(&self, text: &str) -> Value {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if self.is_integer && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            // Beyond 64 bits any bound is broken just as well.
            return json!(text.parse::<i64>().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }));
        }
        Value::from(text)
    }
}

/// The query parameters of an operation, by name.
fn query_parameters(root: &Value, operation: Operation) -> BTreeMap<String, ParameterSchema> {
    let methods = root["paths"].as_object().into_iter().flat_map(|paths| paths.values()).filter_map(Value::as_object);
    let found = methods.flat_map(Map::values).find(|entry| entry["operationId"] == operation.id());
    let found = found.expect("every operation of this server stands in the document");
    let parameters = found["parameters"].as_array().into_iter().flatten().map(|parameter| dereference(root, parameter));
    let in_query = parameters.filter(|parameter| parameter["in"] == "query");
    in_query.map(|parameter| parameter_of(root, parameter)).collect()
}

fn parameter_of(root: &Value, parameter: &Value) -> (String, ParameterSchema) {
    let schema = to_draft4(root, &parameter["schema"], 0);
    let name = parameter["name"].as_str().expect("a parameter has a name").to_owned();
    (name, ParameterSchema { is_integer: schema["type"] == "integer", validator: validator(&schema) })
}

/// What a reference stands for, or the value itself.
fn dereference<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return value };
    root.pointer(reference.trim_start_matches('#')).expect("a reference in the document leads somewhere")
}

/// An OpenAPI 3.0 schema as JSON Schema Draft 4: references inlined, `nullable` turned into a list of types. Request
/// schemas are small and do not refer to themselves.
fn to_draft4(root: &Value, schema: &Value, depth: usize) -> Value {
    assert!(depth < 32, "a request schema refers to itself");
    match dereference(root, schema) {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| !matches!(name.as_str(), "example" | "nullable"));
            let mut schema: Map<_, _> =
                kept.map(|(name, member)| (name.clone(), to_draft4(root, member, depth + 1))).collect();
            if members.get("nullable") == Some(&Value::Bool(true)) {
                let kind = schema.remove("type").unwrap_or(Value::Null);
                schema.insert("type".to_owned(), json!([kind, "null"]));
            }
            Value::Object(schema)
        }
        Value::Array(items) => items.iter().map(|item| to_draft4(root, item, depth + 1)).collect(),
        plain => plain.clone(),
    }
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(Draft::Draft4)
        .should_validate_formats(true)
        .with_format("date-time", is_date_time)
        .with_keyword("x-trimmed-length", |_, bounds, _| Ok(Box::new(TrimmedLength(LengthBounds::read(bounds)))))
        .with_keyword("x-key-length", |_, bounds, _| Ok(Box::new(KeyLength(LengthBounds::read(bounds)))))
        .build(schema)
        .expect("the document's request schemas compile, which every test of this crate needs")
}

/// RFC 3339 with a zone, and a moment that the server can hold.
fn is_date_time(text: &str) -> bool {
    matches!(text.as_bytes().get(10), Some(b'T' | b't')) && Timestamp::parse(text).is_some()
}

struct LengthBounds {
    min: u64,
    max: u64,
}

impl LengthBounds {
    fn read(bounds: &Value) -> Self {
        Self { min: bounds["min"].as_u64().unwrap_or(0), max: bounds["max"].as_u64().unwrap_or(u64::MAX) }
    }

    fn broken_by(&self, length: usize) -> Option<LengthViolation> {
        let length = length as u64;
        (length < self.min)
            .then_some(LengthViolation::TooShort)
            .or_else(|| (length > self.max).then_some(LengthViolation::TooLong))
    }
}

/// Code points after trimming Unicode White_Space.
struct TrimmedLength(LengthBounds);

impl<'i> Keyword<'i> for TrimmedLength {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        let broken = instance.as_str().and_then(|text| self.0.broken_by(text.trim().chars().count()));
        broken.map_or(Ok(()), |length| Err(ValidationError::custom(length.message(None))))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        Keyword::validate(self, instance).is_ok()
    }
}

/// Code points of every member name.
struct KeyLength(LengthBounds);

impl<'i> Keyword<'i> for KeyLength {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        Keyword::iter_errors(self, instance).next().map_or(Ok(()), Err)
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        Keyword::validate(self, instance).is_ok()
    }

    fn iter_errors(&self, instance: &'i Value) -> Box<dyn Iterator<Item = ValidationError<'i>> + 'i> {
        let names = instance.as_object().into_iter().flat_map(Map::keys);
        let broken = names.filter_map(|name| Some((name, self.0.broken_by(name.chars().count())?)));
        let errors: Vec<_> = broken.map(|(name, length)| ValidationError::custom(length.message(Some(name)))).collect();
        Box::new(errors.into_iter())
    }
}
