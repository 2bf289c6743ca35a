//! Compiles a schema of the OpenAPI document into a validator, with the document's custom keywords for lengths,
//! `x-trimmed-length` and `x-key-length`. A keyword can report only a text, and the validator copies the value for each report.
//! So a keyword reports once, with its bounds, and [`broken_lengths`] reads the value again.

use jsonschema::{Draft, Keyword, PatternOptions, ValidationError, ValidationOptions, Validator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::FieldCode;
use crate::domain::clock::Timestamp;

/// Bounds of a string's length in code points, after trimming Unicode White_Space.
const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// Bounds of the length of each name in a map, in code points.
const KEY_LENGTH: &str = "x-key-length";

/// Returns the target of a reference, or the value itself if it is not a reference.
pub(super) fn dereference<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    let Some(reference) = value.get("$ref").and_then(Value::as_str) else { return value };
    root.pointer(reference.trim_start_matches('#')).expect("a reference in the document leads somewhere")
}

/// Converts an OpenAPI 3.0 schema to JSON Schema Draft 4: inlines references and turns `nullable` into a list of types. Request
/// schemas are small and not recursive.
pub(super) fn to_draft4(root: &Value, schema: &Value, depth: usize) -> Value {
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

/// Compiles a schema into a validator.
pub(super) fn validator(schema: &Value) -> Validator {
    options().build(schema).expect("the document's request schemas compile, which every test of this crate needs")
}

/// Returns the options for compiling schemas.
pub(super) fn options() -> ValidationOptions<'static> {
    let options = jsonschema::options()
        .with_draft(Draft::Draft4)
        .should_validate_formats(true)
        // This engine runs in time linear in the text, for any pattern.
        .with_pattern_options(PatternOptions::regex())
        .with_format("date-time", is_date_time);
    add_length_keywords(options)
}

/// Returns true if the text is an RFC 3339 time with a zone that the server can represent.
fn is_date_time(text: &str) -> bool {
    matches!(text.as_bytes().get(10), Some(b'T' | b't')) && Timestamp::parse(text).is_some()
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Bounds {
    #[serde(default)]
    min: usize,
    #[serde(default = "unbounded")]
    max: usize,
}

const fn unbounded() -> usize {
    usize::MAX
}

impl Bounds {
    fn code(self, length: usize) -> Option<FieldCode> {
        match length {
            _ if length < self.min => Some(FieldCode::TooShort),
            _ if length > self.max => Some(FieldCode::TooLong),
            _ => None,
        }
    }
}

/// Adds the keywords for lengths to a validator.
fn add_length_keywords(options: ValidationOptions<'static>) -> ValidationOptions<'static> {
    options
        .with_keyword(TRIMMED_LENGTH, |_, bounds, _| Ok(Box::new(LengthKeyword::new(TRIMMED_LENGTH, bounds))))
        .with_keyword(KEY_LENGTH, |_, bounds, _| Ok(Box::new(LengthKeyword::new(KEY_LENGTH, bounds))))
}

/// A length outside its bounds.
pub(super) struct Broken<'v> {
    pub(super) code: FieldCode,
    /// Name in the map, if the length is the length of a name.
    pub(super) name: Option<&'v str>,
    pub(super) detail: String,
}

/// Returns the lengths in `value` that are outside `bounds`. `bounds` is the text that the keyword reported.
pub(super) fn broken_lengths<'v>(keyword: &'v str, bounds: &str, value: &'v Value) -> impl Iterator<Item = Broken<'v>> {
    let bounds: Bounds = serde_json::from_str(bounds).expect("LengthKeyword::validate wrote them");
    lengths(keyword, value).filter_map(move |(length, name)| {
        let code = bounds.code(length)?;
        let detail = match (name, code) {
            (Some(_), _) => format!("must have a name of {} to {} characters", bounds.min, bounds.max),
            (None, FieldCode::TooShort) if bounds.min == 1 => "must not be empty".to_owned(),
            (None, FieldCode::TooShort) => format!("must have at least {} characters", bounds.min),
            (None, _) => format!("must have at most {} characters", bounds.max),
        };
        Some(Broken { code, name, detail })
    })
}

/// Returns the lengths that the keyword counts in a value, each with its name if the value is a map.
fn lengths<'v>(keyword: &str, value: &'v Value) -> Box<dyn Iterator<Item = (usize, Option<&'v str>)> + 'v> {
    match value {
        Value::String(text) if keyword == TRIMMED_LENGTH => {
            Box::new(std::iter::once((text.trim().chars().count(), None)))
        }
        Value::Object(members) if keyword == KEY_LENGTH => {
            Box::new(members.keys().map(|name| (name.chars().count(), Some(name.as_str()))))
        }
        _ => Box::new(std::iter::empty()),
    }
}

struct LengthKeyword {
    name: &'static str,
    bounds: Bounds,
}

impl LengthKeyword {
    fn new(name: &'static str, bounds: &Value) -> Self {
        let bounds = Bounds::deserialize(bounds).expect("every test of this crate reads the document's bounds");
        Self { name, bounds }
    }
}

impl<'i> Keyword<'i> for LengthKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            return Ok(());
        }
        let bounds = serde_json::to_string(&self.bounds).expect("numbers always serialize");
        Err(ValidationError::custom(bounds))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        !lengths(self.name, instance).any(|(length, _)| self.bounds.code(length).is_some())
    }
}
