//! From what a schema validator says to the field errors of the contract (CONTRACT 3.3 and 5, "JSON"). Details never repeat
//! what was sent: it may be personal data.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use super::error::{FieldCode, FieldError, Place};
use super::length_keywords;
use super::violations::Violations;

/// Adds what a validator's error tells. `place` is given the pointer of the value as a URI fragment.
pub(super) fn add(error: &ValidationError<'_>, place: impl Fn(String) -> Place, violations: &mut Violations) {
    let pointer = error.instance_path().as_str();
    let found = |code, member: Option<&str>, detail: String| {
        let pointer = member.map_or_else(|| pointer.to_owned(), |member| format!("{pointer}/{}", escaped(member)));
        FieldError { code, place: place(fragment(&pointer)), detail }
    };
    match error.kind() {
        Kind::Required { property } => {
            violations.push(found(FieldCode::Required, property.as_str(), "the member is required".to_owned()));
        }
        Kind::Custom { keyword, message } => {
            let broken = length_keywords::broken(keyword, message, error.instance());
            violations.extend(broken.map(|(code, member)| {
                let amount = if code == FieldCode::TooShort { "few" } else { "many" };
                found(code, member, format!("it has too {amount} characters"))
            }));
        }
        kind => {
            let (code, detail) = code_and_detail(kind);
            violations.push(found(code, None, detail));
        }
    }
}

fn code_and_detail(kind: &Kind) -> (FieldCode, String) {
    match kind {
        Kind::MinLength { limit } => (FieldCode::TooShort, format!("it has fewer than {limit} characters")),
        Kind::MaxLength { limit } => (FieldCode::TooLong, format!("it has more than {limit} characters")),
        Kind::MinItems { limit } => (FieldCode::TooShort, format!("it has fewer than {limit} items")),
        Kind::MinProperties { limit } => (FieldCode::TooShort, format!("it has fewer than {limit} members")),
        Kind::MaxItems { limit } => (FieldCode::TooMany, format!("it has more than {limit} items")),
        Kind::MaxProperties { limit } => (FieldCode::TooMany, format!("it has more than {limit} members")),
        Kind::Minimum { limit } => (FieldCode::OutOfRange, format!("it is less than {limit}")),
        Kind::Maximum { limit } => (FieldCode::OutOfRange, format!("it is more than {limit}")),
        Kind::ExclusiveMinimum { limit } => (FieldCode::OutOfRange, format!("it is not more than {limit}")),
        Kind::ExclusiveMaximum { limit } => (FieldCode::OutOfRange, format!("it is not less than {limit}")),
        Kind::Type { .. } => (FieldCode::InvalidFormat, "it has the wrong type".to_owned()),
        Kind::Enum { .. } => (FieldCode::InvalidFormat, "it is none of the values allowed".to_owned()),
        Kind::Format { format } => (FieldCode::InvalidFormat, format!("it is not a valid {format}")),
        Kind::Pattern { .. } => (FieldCode::InvalidFormat, "it holds something that is not allowed here".to_owned()),
        _ => (FieldCode::InvalidFormat, "it is not of the form asked for".to_owned()),
    }
}

/// A member name as a reference token of a JSON Pointer (RFC 6901 section 3).
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A JSON Pointer as a URI fragment (RFC 6901 section 6).
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
