//! Converts errors of the schema validator to field errors, with the texts of `x-field-errors` in the document. The texts never
//! repeat the sent value, because it may be personal data.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::json_schema::broken_lengths;
use super::{FieldCode, FieldError, Place, Violations};

/// Adds the field errors of `error`, a result of validation against `schema`. `place` receives the value's pointer as a URI
/// fragment.
pub(super) fn add(
    error: &ValidationError<'_>,
    schema: &Value,
    place: impl Fn(String) -> Place,
    violations: &mut Violations,
) {
    let pointer = error.instance_path().as_str();
    let found = |code, name: Option<&str>, detail: String| {
        let pointer = name.map_or_else(|| pointer.to_owned(), |name| format!("{pointer}/{}", escaped(name)));
        FieldError { code, place: place(fragment(&pointer)), detail }
    };
    match error.kind() {
        Kind::Required { property } => {
            violations.push(found(FieldCode::Required, property.as_str(), "is required".to_owned()));
        }
        Kind::Custom { keyword, message } => {
            let broken = broken_lengths(keyword, message, error.instance());
            violations.extend(broken.map(|broken| found(broken.code, broken.name, broken.detail)));
        }
        kind => {
            let keyword = error.schema_path().as_str();
            let parent = keyword.rsplit_once('/').and_then(|(parent, _)| schema.pointer(parent));
            let (code, detail) = code_and_detail(kind, parent.unwrap_or(&Value::Null));
            violations.push(found(code, None, detail));
        }
    }
}

/// Returns the code and the text of an error. `schema` is the schema that has the broken keyword.
fn code_and_detail(kind: &Kind, schema: &Value) -> (FieldCode, String) {
    match kind {
        Kind::MinLength { limit: 1 } => (FieldCode::TooShort, "must not be empty".to_owned()),
        Kind::MinLength { limit } => (FieldCode::TooShort, format!("must have at least {limit} characters")),
        Kind::MaxLength { limit } => (FieldCode::TooLong, format!("must have at most {limit} characters")),
        Kind::MaxItems { limit } => (FieldCode::TooMany, format!("must have at most {limit} items")),
        Kind::MaxProperties { limit } => (FieldCode::TooMany, format!("must have at most {limit} fields")),
        Kind::Minimum { limit } | Kind::Maximum { limit } => {
            let detail = match (schema.get("minimum"), schema.get("maximum")) {
                (Some(least), Some(most)) => format!("must be between {least} and {most}"),
                (Some(_), None) => format!("must be at least {limit}"),
                _ => format!("must be at most {limit}"),
            };
            (FieldCode::OutOfRange, detail)
        }
        _ => (FieldCode::InvalidFormat, format_detail(kind, schema)),
    }
}

/// Returns the text of an `invalid_format` error.
fn format_detail(kind: &Kind, schema: &Value) -> String {
    let rule = match kind {
        Kind::Type { .. } => match schema["type"].as_str() {
            Some("string") => "must be a string",
            Some("integer") => "must be an integer without fraction and exponent",
            Some("boolean") => "must be true or false",
            Some("array") => "must be an array",
            Some("object") => "must be an object",
            _ => "is invalid",
        },
        Kind::Enum { options } => {
            let values: Vec<_> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            return format!("must be one of {}", values.join(", "));
        }
        Kind::Format { format } if format == "date-time" => {
            "must be an RFC 3339 time with a zone, such as 2026-11-02T08:00:00Z"
        }
        Kind::Pattern { .. } => schema["x-pattern-rule"].as_str().unwrap_or("is invalid"),
        _ => "is invalid",
    };
    rule.to_owned()
}

/// Returns a field name as a reference token of a JSON Pointer (RFC 6901 section 3).
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns a JSON Pointer as a URI fragment (RFC 6901 section 6).
pub(super) fn fragment(pointer: &str) -> String {
    let mut fragment = String::with_capacity(pointer.len() + 1);
    fragment.push('#');
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.push('%');
            fragment.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])));
        }
    }
    fragment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_escaped_as_fragments() {
        assert_eq!(fragment(&format!("/metadata/{}", escaped("a/b~c d%é"))), "#/metadata/a~1b~0c%20d%25%C3%A9");
        assert_eq!(fragment(""), "#");
    }
}
