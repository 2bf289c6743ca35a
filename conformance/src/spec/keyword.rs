//! The document's own schema keywords `x-trimmed-length` and `x-key-length`.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value};

/// Bounds of a text in code points after trimming Unicode `White_Space`.
pub(super) const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// Bounds of every field name in code points.
pub(super) const KEY_LENGTH: &str = "x-key-length";

/// `{min, max}` applied to some texts of an instance.
struct Lengths {
    minimum: u64,
    maximum: u64,
    of: fn(&Value) -> Vec<&str>,
}

impl Lengths {
    fn hold(&self, instance: &Value) -> bool {
        (self.of)(instance).iter().all(|text| (self.minimum..=self.maximum).contains(&(text.chars().count() as u64)))
    }
}

impl<'instance> Keyword<'instance> for Lengths {
    fn validate(&self, instance: &'instance Value) -> Result<(), ValidationError<'instance>> {
        if self.hold(instance) {
            Ok(())
        } else {
            Err(ValidationError::custom(format!("must have {} to {} code points", self.minimum, self.maximum)))
        }
    }

    fn is_valid(&self, instance: &'instance Value) -> bool {
        self.hold(instance)
    }
}

type Made<'schema> = Result<Box<dyn for<'instance> Keyword<'instance>>, ValidationError<'schema>>;

/// Creates the check of `x-trimmed-length`.
pub(super) fn trimmed_length<'schema>(
    _parent: &'schema Map<String, Value>,
    bounds: &'schema Value,
    _path: Location,
) -> Made<'schema> {
    lengths(bounds, |instance| instance.as_str().map(str::trim).into_iter().collect())
}

/// Creates the check of `x-key-length`.
pub(super) fn key_length<'schema>(
    _parent: &'schema Map<String, Value>,
    bounds: &'schema Value,
    _path: Location,
) -> Made<'schema> {
    lengths(bounds, |instance| {
        let members = instance.as_object().into_iter().flatten();
        members.map(|(name, _)| name.as_str()).collect()
    })
}

#[expect(clippy::unnecessary_wraps, reason = "the validator's factory type asks for a Result")]
fn lengths<'schema>(bounds: &Value, of: fn(&Value) -> Vec<&str>) -> Made<'schema> {
    Ok(Box::new(Lengths {
        minimum: bounds["min"].as_u64().unwrap_or(0),
        maximum: bounds["max"].as_u64().unwrap_or(u64::MAX),
        of,
    }))
}
