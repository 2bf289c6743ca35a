//! The parsed OpenAPI document and the questions that requirements ask of it.
//!
//! `schema` converts schemas, `profile` relaxes the document for the core profile.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Profile;
use super::operation::{self, Operation};
use super::profile;
use super::schema::{self, Violated};

/// The document this suite was built with.
const EMBEDDED: &str = include_str!("../../../openapi.yaml");

/// The document cannot be used; always a bug of the document, not of a target.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The text is not YAML.
    #[error("the OpenAPI document cannot be parsed")]
    Parse(#[source] serde_saphyr::Error),
    /// Something that the suite relies on is missing or malformed.
    #[error("the OpenAPI document has no usable {0}")]
    Missing(String),
    /// A schema does not compile.
    #[error("schema {name} does not compile: {detail}")]
    Schema {
        /// Component name.
        name: String,
        /// Message of the validator.
        detail: String,
    },
}

/// One OpenAPI document in one profile.
pub struct Document {
    profile: Profile,
    version: String,
    digest: String,
    operations: Vec<Operation>,
    hooks: Vec<Operation>,
    problems: BTreeMap<String, ProblemKind>,
    components: Value,
    limits: Value,
    validators: Mutex<BTreeMap<String, Arc<Validator>>>,
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Document")
            .field("profile", &self.profile)
            .field("version", &self.version)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}

impl Document {
    /// Returns the embedded document for `profile`; parsed once per process.
    ///
    /// # Errors
    /// Returns an error if the embedded text is broken, which a test of this crate rules out.
    pub fn embedded(profile: Profile) -> Result<Arc<Self>, SpecError> {
        static CORE: OnceLock<Arc<Document>> = OnceLock::new();
        static FULL: OnceLock<Arc<Document>> = OnceLock::new();
        let cell = match profile {
            Profile::Core => &CORE,
            Profile::Full => &FULL,
        };
        if let Some(document) = cell.get() {
            return Ok(Arc::clone(document));
        }
        let document = Arc::new(Self::parse(EMBEDDED, profile)?);
        Ok(Arc::clone(cell.get_or_init(|| document)))
    }

    /// Parses `yaml` for `profile`, and compiles every schema of a response.
    ///
    /// # Errors
    /// Returns an error if the text is not YAML, or lacks a part that the suite relies on.
    pub fn parse(yaml: &str, profile: Profile) -> Result<Self, SpecError> {
        let raw = serde_saphyr::from_str(yaml).map_err(SpecError::Parse)?;
        let document = Self::read(raw, hexadecimal(&Sha256::digest(yaml.as_bytes())), profile)?;
        for name in document.operations.iter().chain(&document.hooks).flat_map(Operation::schemas) {
            document.validator(&name)?;
        }
        Ok(document)
    }

    /// Builds the document from a parsed one, such as an edited one. Its digest is that of its JSON text. Schemas are
    /// compiled at first use.
    ///
    /// # Errors
    /// Returns an error if it lacks a part that the suite relies on.
    pub fn from_value(document: Value, profile: Profile) -> Result<Self, SpecError> {
        let digest = hexadecimal(&Sha256::digest(document.to_string().as_bytes()));
        Self::read(document, digest, profile)
    }

    fn read(mut raw: Value, digest: String, profile: Profile) -> Result<Self, SpecError> {
        schema::compose(&mut raw);
        if profile == Profile::Core {
            profile::relax(&mut raw);
        }
        let version = raw["info"]["version"].as_str().unwrap_or("0").to_owned();
        let operations = operation::all(&raw)?;
        let hooks = operation::hooks(&raw)?;
        let problems = problem_table(&raw)?;
        let components = schema::all(&raw);
        Ok(Self {
            profile,
            version,
            digest,
            operations,
            hooks,
            problems,
            components,
            limits: raw["x-limits"].clone(),
            validators: Mutex::new(BTreeMap::new()),
        })
    }

    /// Returns the text of the embedded document.
    pub fn embedded_text() -> &'static str {
        EMBEDDED
    }

    /// Returns the profile.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns an entry of `x-limits`; `null` if it is missing.
    pub fn limit(&self, name: &str) -> &Value {
        &self.limits[name]
    }

    /// Returns a number of an entry of `x-limits`, such as its `maximum`; 0 if it is missing.
    pub fn limit_number(&self, name: &str, bound: &str) -> usize {
        self.limits[name][bound].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
    }

    /// Returns the names of the limits that an operator may configure.
    pub fn configurable_limits(&self) -> impl Iterator<Item = &str> {
        let limits = self.limits.as_object().into_iter().flatten();
        limits.filter(|(_, limit)| limit["configurable"] == true).map(|(name, _)| name.as_str())
    }

    /// Returns the document with these values of its limits, by name: of the maximum, or of the minimum if the limit has no maximum. Its digest does
    /// not change.
    #[must_use]
    pub fn with_limits(&self, values: &BTreeMap<String, NonZeroU32>) -> Self {
        let mut limits = self.limits.clone();
        for (name, value) in values {
            let limit = &mut limits[name.as_str()];
            let has_only_minimum = limit["maximum"].is_null() && !limit["minimum"].is_null();
            limit[if has_only_minimum { "minimum" } else { "maximum" }] = json!(value.get());
        }
        Self { limits, ..self.copy() }
    }

    /// Returns the document without its operations and their problems, for a receiver of webhooks. Its digest does not change.
    #[must_use]
    pub(crate) fn without_operations(&self) -> Self {
        Self { operations: Vec::new(), problems: BTreeMap::new(), ..self.copy() }
    }

    fn copy(&self) -> Self {
        Self {
            profile: self.profile,
            version: self.version.clone(),
            digest: self.digest.clone(),
            operations: self.operations.clone(),
            hooks: self.hooks.clone(),
            problems: self.problems.clone(),
            components: self.components.clone(),
            limits: self.limits.clone(),
            validators: Mutex::new(self.validators.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    /// Returns `info.version`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the SHA-256 of the document's bytes, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the webhooks, as operations of the receiver whose path is the event type, such as `lead.captured`.
    pub fn hooks(&self) -> &[Operation] {
        &self.hooks
    }

    /// Returns every operation, by path.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Returns the operations that need a key: the API, without the lead form.
    pub fn keyed_operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.needs_key)
    }

    /// Returns the operation with that `operationId`.
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// Returns the problems by `code`.
    pub fn problems(&self) -> &BTreeMap<String, ProblemKind> {
        &self.problems
    }

    /// Returns the converted component schema of that name; `null` if it is missing.
    pub fn schema(&self, name: &str) -> &Value {
        &self.components[name]
    }

    /// Returns all converted component schemas, for following references.
    pub fn components(&self) -> &Value {
        &self.components
    }

    /// Returns the violations of `value` in the component schema `name`; empty if it is valid.
    ///
    /// # Errors
    /// Returns an error if the schema is missing or does not compile.
    pub fn violations(&self, name: &str, value: &Value) -> Result<Vec<Violated>, SpecError> {
        let validator = self.validator(name)?;
        Ok(schema::violated(&validator, value))
    }

    /// Returns the violations of `value`, a response, in the component schema `name`. A null in an optional field counts as absent, except
    /// in the place of an array or a map.
    ///
    /// # Errors
    /// Returns an error if the schema is missing or does not compile.
    pub fn response_violations(&self, name: &str, value: &Value) -> Result<Vec<Violated>, SpecError> {
        let violations = self.violations(name, value)?;
        if violations.is_empty() {
            return Ok(violations);
        }
        self.violations(name, &schema::without_nulls(&self.components, self.schema(name), value))
    }

    /// Calls `visit` with each value in `value` that the component schema `name` describes: its JSON pointer, a schema for it, and the
    /// value. A value has one call for each of its schemas.
    pub fn visit(&self, name: &str, value: &Value, visit: &mut dyn FnMut(&str, &Value, &Value)) {
        schema::visit(&self.components, self.schema(name), value, "", visit);
    }

    /// Returns true if `value` is valid for the component schema `name`. An unknown schema accepts nothing.
    pub fn accepts(&self, name: &str, value: &Value) -> bool {
        self.validator(name).is_ok_and(|validator| validator.is_valid(value))
    }

    /// Returns true if `value` is valid for a converted schema without a name, such as that of a header.
    pub fn fits(&self, schema: &Value, value: &Value) -> bool {
        self.compiled(&schema.to_string(), schema).is_ok_and(|validator| validator.is_valid(value))
    }

    fn validator(&self, name: &str) -> Result<Arc<Validator>, SpecError> {
        if self.components.get(name).is_none() {
            return Err(SpecError::Missing(format!("schema named {name}")));
        }
        self.compiled(name, &json!({ "$ref": format!("#/components/schemas/{name}") }))
    }

    fn compiled(&self, name: &str, schema: &Value) -> Result<Arc<Validator>, SpecError> {
        let mut known = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = known.get(name) {
            return Ok(Arc::clone(validator));
        }
        let validator = schema::compile(&self.components, schema)
            .map_err(|detail| SpecError::Schema { name: name.to_owned(), detail })?;
        let validator = Arc::new(validator);
        known.insert(name.to_owned(), Arc::clone(&validator));
        Ok(validator)
    }
}

/// Returns two hexadecimal digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every write");
        text
    })
}

/// One row of the table `x-problem-codes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemKind {
    /// The HTTP status that carries the code.
    pub status: u16,
    /// The constant `title`.
    pub title: String,
    /// The problem type, if the table contains it.
    pub type_uri: Option<String>,
}

/// Parses the table of problem codes of `document`. A document without a table allows any code.
fn problem_table(document: &Value) -> Result<BTreeMap<String, ProblemKind>, SpecError> {
    let rows = match &document["x-problem-codes"] {
        Value::Null => return Ok(BTreeMap::new()),
        rows => rows.as_object().ok_or_else(|| SpecError::Missing("x-problem-codes".to_owned()))?,
    };
    rows.iter()
        .map(|(code, row)| {
            let status = row["status"]
                .as_u64()
                .and_then(|status| u16::try_from(status).ok())
                .ok_or_else(|| SpecError::Missing(format!("status for problem {code}")))?;
            let kind = ProblemKind {
                status,
                title: row["title"].as_str().unwrap_or_default().to_owned(),
                type_uri: row["type"].as_str().map(ToOwned::to_owned),
            };
            Ok((code.clone(), kind))
        })
        .collect()
}
