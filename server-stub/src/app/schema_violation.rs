//! From what a schema validator says to the field errors of the contract (CONTRACT 3.3 and 5, "JSON"). Details never repeat
//! what was sent: it may be personal data.

use std::fmt::Write as _;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

use super::error::{FieldCode, FieldError, Place};

/// How the document's own length keywords are broken. A keyword can report an error only as a text:
/// [`LengthViolation::message`] writes it and [`LengthViolation::read`] reads it. The text is a mark; if a member's name has the
/// length, a slash and that name follow.
pub(super) enum LengthViolation {
    TooShort,
    TooLong,
}

impl LengthViolation {
    pub(super) fn message(&self, member: Option<&str>) -> String {
        let mark = match self {
            Self::TooShort => '<',
            Self::TooLong => '>',
        };
        member.map_or_else(|| mark.to_string(), |member| format!("{mark}/{member}"))
    }

    fn read(message: &str) -> (Self, Option<&str>) {
        let length = if message.starts_with('<') { Self::TooShort } else { Self::TooLong };
        (length, message.split_once('/').map(|(_, member)| member))
    }
}

/// The field error for a violation; `place` is given the pointer of the value as a URI fragment.
pub(super) fn field_error(error: &ValidationError<'_>, place: impl FnOnce(String) -> Place) -> FieldError {
    let mut pointer = error.instance_path().as_str().to_owned();
    let (code, detail) = match error.kind() {
        Kind::Required { property } => {
            pointer.push('/');
            pointer.push_str(&escaped(property.as_str().unwrap_or_default()));
            (FieldCode::Required, "the member is required".to_owned())
        }
        Kind::Custom { message, .. } => {
            let (length, member) = LengthViolation::read(message);
            if let Some(member) = member {
                pointer.push('/');
                pointer.push_str(&escaped(member));
            }
            match length {
                LengthViolation::TooShort => (FieldCode::TooShort, "it has too few characters".to_owned()),
                LengthViolation::TooLong => (FieldCode::TooLong, "it has too many characters".to_owned()),
            }
        }
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
    };
    FieldError { code, place: place(fragment(&pointer)), detail }
}

/// Each violation once: two keywords may complain of the same thing at the same place.
pub(super) fn merged(errors: Vec<FieldError>) -> Vec<FieldError> {
    let mut merged: Vec<FieldError> = Vec::with_capacity(errors.len());
    for error in errors {
        if !merged.iter().any(|other| other.code == error.code && other.place == error.place) {
            merged.push(error);
        }
    }
    merged
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
            write!(fragment, "%{byte:02X}").expect("writing to a string never fails");
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
