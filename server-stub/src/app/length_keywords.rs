//! Implements the document's custom keywords for lengths, `x-trimmed-length` and `x-key-length`. A keyword can report only a text,
//! and the validator copies the value for each report. So a keyword reports once, with its bounds, and [`broken`] reads the value
//! again.

use jsonschema::{Keyword, ValidationError, ValidationOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::FieldCode;

/// Bounds of a string's length in code points, after trimming Unicode White_Space.
const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// Bounds of the length of each name in a map, in code points.
const KEY_LENGTH: &str = "x-key-length";

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

/// Adds both keywords to a validator.
pub(super) fn add_to(options: ValidationOptions<'static>) -> ValidationOptions<'static> {
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
pub(super) fn broken<'v>(keyword: &'v str, bounds: &str, value: &'v Value) -> impl Iterator<Item = Broken<'v>> {
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
