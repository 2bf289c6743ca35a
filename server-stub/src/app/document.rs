//! Contains the service's OpenAPI document and its request schemas, compiled once. Checks queries; `body_schema` checks bodies.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::body_schema::BodySchema;
use super::json_schema::{dereference, to_draft4, validator};
use super::schema_violation;
use super::{FieldCode, FieldError, Operation, Place, Violations};

/// The OpenAPI document, byte for byte.
pub const TEXT: &str = include_str!("../../../openapi.yaml");

/// Compiled request schemas of the document.
pub struct Document {
    /// Body of `POST /generate`.
    pub(crate) generate: BodySchema,
    /// A lead.
    pub(super) capture: BodySchema,
    queries: HashMap<&'static str, BTreeMap<String, ParameterSchema>>,
}

/// The schema of a query parameter.
struct ParameterSchema {
    validator: Validator,
    schema: Value,
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Document").finish_non_exhaustive()
    }
}

impl Document {
    /// Compiles the document that is built into this server.
    pub fn embedded() -> Self {
        let root: Value = serde_saphyr::from_str(TEXT).expect("the document is read by every test of this crate");
        Self {
            generate: BodySchema::compile(&root, "/components/schemas/GenerateRequest"),
            capture: BodySchema::compile(&root, "/components/schemas/LeadCapture"),
            queries: Operation::ALL
                .into_iter()
                .map(|operation| (operation.as_str(), query_parameters(&root, operation)))
                .collect(),
        }
    }

    /// Checks the query of `operation` and returns its parameters by name. Ignores parameters that the document does not define.
    pub(super) fn check_query(
        &self,
        operation: Operation,
        pairs: &[(String, String)],
    ) -> Result<BTreeMap<String, String>, Violations> {
        let known = &self.queries[operation.as_str()];
        let mut given = BTreeMap::new();
        let mut violations = Violations::default();
        for (name, text) in pairs {
            let Some(parameter) = known.get(name) else { continue };
            let place = || Place::Parameter(name.clone());
            if given.insert(name.clone(), text.clone()).is_some() {
                let detail = "must be given only once".to_owned();
                violations.push(FieldError { code: FieldCode::InvalidFormat, place: place(), detail });
                continue;
            }
            for error in parameter.validator.iter_errors(&parameter.read(text)) {
                schema_violation::add(&error, &parameter.schema, |_| place(), &mut violations);
            }
        }
        violations.into_result().map(|()| given)
    }
}

impl ParameterSchema {
    /// Converts the text of a parameter to the JSON type that its schema expects.
    fn read(&self, text: &str) -> Value {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = self.schema["type"] == "integer";
        if is_integer && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            // Numbers beyond 64 bits become the nearest 64-bit value, which breaks any bound as well.
            return json!(text.parse::<i64>().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }));
        }
        Value::from(text)
    }
}

/// Returns the query parameters of an operation, by name.
fn query_parameters(root: &Value, operation: Operation) -> BTreeMap<String, ParameterSchema> {
    let methods = root["paths"].as_object().into_iter().flat_map(|paths| paths.values()).filter_map(Value::as_object);
    let found = methods.flat_map(Map::values).find(|entry| entry["operationId"] == operation.as_str());
    let found = found.expect("every operation of this server is in the document");
    let parameters = found["parameters"].as_array().into_iter().flatten().map(|parameter| dereference(root, parameter));
    let in_query = parameters.filter(|parameter| parameter["in"] == "query");
    in_query.map(|parameter| parameter_of(root, parameter)).collect()
}

fn parameter_of(root: &Value, parameter: &Value) -> (String, ParameterSchema) {
    let schema = to_draft4(root, &parameter["schema"], 0);
    let name = parameter["name"].as_str().expect("a parameter has a name").to_owned();
    (name, ParameterSchema { validator: validator(&schema), schema })
}
