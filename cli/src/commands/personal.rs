//! Leads without personal data, which is shown only on request, to keep it out of terminals and logs.

use serde_json::{Map, Value};

/// Fields of a lead without personal data.
const IMPERSONAL: [&str; 5] = ["id", "website_id", "article_id", "captured_at", "updated_at"];

/// Returns the fields of a lead without personal data.
pub(super) fn impersonal(lead: &Value) -> Value {
    Value::Object(picked(lead, &IMPERSONAL))
}

/// Returns the named fields of an object that exist.
pub(super) fn picked(object: &Value, names: &[&str]) -> Map<String, Value> {
    names.iter().filter_map(|name| Some(((*name).to_owned(), object.get(*name)?.clone()))).collect()
}
