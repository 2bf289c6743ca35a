//! The parsed OpenAPI document and the questions that requirements ask of it.
//!
//! The rewriting of schemas lives in `schema`, the relaxing for the core profile in `projection`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Profile;
use super::operation::{self, Operation};
use super::problem::{self, ProblemKind};
use super::projection;
use super::schema::{self, Violated};

/// The document this suite was built with.
const EMBEDDED: &str = include_str!("../../../openapi.yaml");

/// The document cannot be used; always a fault of the document, never of a target.
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
        /// What the validator said.
        detail: String,
    },
}

/// One OpenAPI document seen through one profile.
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
    /// The embedded document as `profile` sees it; read once in a process.
    ///
    /// # Errors
    /// When the embedded text is broken, which a test of this crate rules out.
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

    /// Reads `yaml` as `profile` sees it; every schema that is used by an answer is compiled.
    ///
    /// # Errors
    /// When the text is not YAML, or lacks a part that the suite relies on.
    pub fn parse(yaml: &str, profile: Profile) -> Result<Self, SpecError> {
        let raw = serde_saphyr::from_str(yaml).map_err(SpecError::Parse)?;
        let document = Self::read(raw, hexadecimal(&Sha256::digest(yaml.as_bytes())), profile)?;
        for name in document.operations.iter().chain(&document.hooks).flat_map(Operation::schemas) {
            document.validator(&name)?;
        }
        Ok(document)
    }

    /// The same from a document that was parsed already, such as an edited one. Its digest is that of its JSON text, and a schema is
    /// compiled when it is first used.
    ///
    /// # Errors
    /// When it lacks a part that the suite relies on.
    pub fn from_value(document: Value, profile: Profile) -> Result<Self, SpecError> {
        let digest = hexadecimal(&Sha256::digest(document.to_string().as_bytes()));
        Self::read(document, digest, profile)
    }

    fn read(mut raw: Value, digest: String, profile: Profile) -> Result<Self, SpecError> {
        schema::compose(&mut raw);
        if profile == Profile::Core {
            projection::relax(&mut raw);
        }
        let version = raw["info"]["version"].as_str().unwrap_or("0").to_owned();
        let operations = operation::all(&raw)?;
        let hooks = operation::hooks(&raw)?;
        let problems = problem::table(&raw)?;
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

    /// The text of the document that this suite was built with.
    pub fn embedded_text() -> &'static str {
        EMBEDDED
    }

    /// The profile this view was made for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// An entry of `x-limits`; `null` if there is none.
    pub fn limit(&self, name: &str) -> &Value {
        &self.limits[name]
    }

    /// A number of an entry of `x-limits`, such as its `maximum`; 0 where there is none.
    pub fn limit_number(&self, name: &str, bound: &str) -> usize {
        self.limits[name][bound].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
    }

    /// `info.version`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// SHA-256 of the document's bytes, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The kinds of hooks, as operations of the receiver whose path is the kind, such as `lead.captured`.
    pub fn hooks(&self) -> &[Operation] {
        &self.hooks
    }

    /// Every operation, by path.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The operations that are called with a key: the API, without the lead form.
    pub fn keyed_operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|operation| operation.needs_key)
    }

    /// The operation with that `operationId`.
    pub fn operation(&self, id: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.id == id)
    }

    /// The problems by `code`.
    pub fn problems(&self) -> &BTreeMap<String, ProblemKind> {
        &self.problems
    }

    /// The converted component schema of that name; `null` when there is none.
    pub fn schema(&self, name: &str) -> &Value {
        &self.components[name]
    }

    /// All converted component schemas, for following references.
    pub fn components(&self) -> &Value {
        &self.components
    }

    /// What `value` violates in the component schema `name`; empty when it is valid.
    ///
    /// # Errors
    /// When there is no such schema or it does not compile.
    pub fn violations(&self, name: &str, value: &Value) -> Result<Vec<Violated>, SpecError> {
        let validator = self.validator(name)?;
        Ok(schema::violated(&validator, value))
    }

    /// Whether `value` is valid for the component schema `name`; an unknown schema accepts nothing.
    pub fn accepts(&self, name: &str, value: &Value) -> bool {
        self.validator(name).is_ok_and(|validator| validator.is_valid(value))
    }

    /// Whether `value` is valid for a converted schema that has no name, such as that of a header.
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

/// Two letters for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes every write");
        text
    })
}
