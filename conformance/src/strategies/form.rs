//! The bounds of the lead form, as a list of locations with lengths or numbers.
//!
//! `steps::form_bounds` builds forms from it.

use serde_json::{Value, json};

use super::alternatives::alternatives;
use super::value::{count, required, type_of};

/// Returns `{place, length, as}` for every text and map of the form: the maximum, one beyond it, and one below the
/// minimum. Returns `{place, number, as}` likewise for every number. `as` is `taken` or `refused`, `place` a JSON
/// pointer; that of a map's values ends in `/*`.
pub(super) fn bounds(components: &Value, schema: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    walk(components, schema, "", &mut all);
    all
}

fn walk(components: &Value, schema: &Value, place: &str, all: &mut Vec<Value>) {
    for schema in alternatives(components, schema) {
        let (least, most) = match type_of(&schema) {
            "integer" => {
                numbers(&schema, place, all);
                continue;
            }
            "string" => ("minLength", "maxLength"),
            "object" => ("minProperties", "maxProperties"),
            _ => continue,
        };
        let mut add = |length: usize, what: &str| all.push(json!({ "place": place, "length": length, "as": what }));
        if let Some(least) = count(&schema, least).filter(|least| *least > 0) {
            add(least - 1, "refused");
            add(least, "taken");
        }
        if let Some(most) = count(&schema, most) {
            add(most, "taken");
            add(most + 1, "refused");
        }
        for name in required(&schema) {
            all.push(json!({ "place": place, "without": name, "as": "refused" }));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            walk(components, property, &format!("{place}/{name}"), all);
        }
        if schema["additionalProperties"].is_object() {
            walk(components, &schema["additionalProperties"], &format!("{place}/*"), all);
        }
    }
}

/// Adds the smallest and the largest number, and their neighbours.
fn numbers(schema: &Value, place: &str, all: &mut Vec<Value>) {
    for (name, step) in [("minimum", -1), ("maximum", 1)] {
        let Some(bound) = schema[name].as_i64() else { continue };
        all.push(json!({ "place": place, "number": bound, "as": "taken" }));
        all.push(json!({ "place": place, "number": bound + step, "as": "refused" }));
    }
}
