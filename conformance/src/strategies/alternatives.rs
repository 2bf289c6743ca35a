//! Resolves `$ref`, `allOf`, `anyOf` and `oneOf` into plain schemas; a valid value matches at least one of them.
//!
//! The validator checks that exactly one schema of a `oneOf` matches.

use serde_json::{Map, Value, json};

/// Returns the plain schemas of `schema`, each with at most one type, in the order of the document.
pub(super) fn alternatives(components: &Value, schema: &Value) -> Vec<Value> {
    let schema = referred(components, schema);
    let Some(members) = schema.as_object() else {
        return vec![json!({})];
    };
    let mut own = members.clone();
    let [all, any, one] = ["allOf", "anyOf", "oneOf"].map(|word| own.remove(word));
    let mut found = typed(own);
    for branch in list(all.as_ref()) {
        found = both(&found, &alternatives(components, branch));
    }
    for branches in [any, one].iter().flatten() {
        let choices: Vec<Value> = list(Some(branches)).flat_map(|branch| alternatives(components, branch)).collect();
        found = both(&found, &choices);
    }
    found
}

/// Follows `$ref` into the components.
fn referred<'schema>(components: &'schema Value, mut schema: &'schema Value) -> &'schema Value {
    while let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        schema = &components[reference.rsplit('/').next().unwrap_or_default()];
    }
    schema
}

fn list(branches: Option<&Value>) -> impl Iterator<Item = &Value> {
    branches.and_then(Value::as_array).into_iter().flatten()
}

/// Returns one schema for each type of the list.
fn typed(schema: Map<String, Value>) -> Vec<Value> {
    let Some(Value::Array(types)) = schema.get("type").cloned() else {
        return vec![Value::Object(schema)];
    };
    let one = |kind| {
        let mut schema = schema.clone();
        schema.insert("type".to_owned(), kind);
        Value::Object(schema)
    };
    types.into_iter().map(one).collect()
}

/// Returns every pair of a schema of `left` and one of `right` that a value can match together.
fn both(left: &[Value], right: &[Value]) -> Vec<Value> {
    left.iter().flat_map(|left| right.iter().filter_map(|right| joined(left, right))).collect()
}

/// Merges two schemas into one; returns `None` if no value matches both.
fn joined(left: &Value, right: &Value) -> Option<Value> {
    let (Some(left), Some(right)) = (left.as_object(), right.as_object()) else {
        return None;
    };
    let mut joined = left.clone();
    for (name, value) in right {
        let Some(known) = left.get(name).filter(|known| *known != value) else {
            joined.insert(name.clone(), value.clone());
            continue;
        };
        joined.insert(name.clone(), narrower(name, known, value)?);
    }
    Some(Value::Object(joined))
}

/// Returns the narrower of two values of the same keyword.
fn narrower(name: &str, known: &Value, value: &Value) -> Option<Value> {
    let pick = |larger: bool| {
        let is_larger = value.as_f64() > known.as_f64();
        if is_larger == larger { value.clone() } else { known.clone() }
    };
    Some(match name {
        "type" => return None,
        "minimum" | "minLength" | "minItems" | "minProperties" => pick(true),
        "maximum" | "maxLength" | "maxItems" | "maxProperties" => pick(false),
        "enum" => {
            let values: Vec<Value> =
                list(Some(known)).filter(|one| list(Some(value)).any(|other| other == *one)).cloned().collect();
            Value::Array(values)
        }
        "required" => {
            let further = list(Some(value)).filter(|name| !list(Some(known)).any(|other| other == *name));
            list(Some(known)).chain(further).cloned().collect()
        }
        "x-trimmed-length" | "x-key-length" => json!({
            "min": known["min"].as_u64().max(value["min"].as_u64()),
            "max": known["max"].as_u64().into_iter().chain(value["max"].as_u64()).min(),
        }),
        "properties" => {
            let mut all = known.as_object().cloned().unwrap_or_default();
            for (name, schema) in value.as_object().into_iter().flatten() {
                let schema = all.get(name).map_or_else(|| schema.clone(), |known| json!({ "allOf": [known, schema] }));
                all.insert(name.clone(), schema);
            }
            Value::Object(all)
        }
        "items" | "additionalProperties" if known.is_object() && value.is_object() => {
            json!({ "allOf": [known, value] })
        }
        "additionalProperties" if known.is_object() => known.clone(),
        "additionalProperties" => value.clone(),
        // Keeps the nearer one of two patterns or descriptions. The validator checks the other pattern.
        _ => known.clone(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::alternatives;

    #[test]
    fn every_branch_is_an_alternative_and_what_stands_beside_it_holds_too() {
        let components = json!({
            "Word": { "type": "string", "minLength": 2, "maxLength": 9 },
            "Count": { "type": ["integer", "null"], "minimum": 3 },
        });
        let word = json!({ "$ref": "#/components/schemas/Word" });
        let count = json!({ "$ref": "#/components/schemas/Count" });
        let found = alternatives(&components, &json!({ "anyOf": [word, count], "minLength": 4 }));
        let types: Vec<&Value> = found.iter().map(|schema| &schema["type"]).collect();
        assert_eq!(types, [&json!("string"), &json!("integer"), &json!("null")]);
        assert_eq!((&found[0]["minLength"], &found[0]["maxLength"]), (&json!(4), &json!(9)));
        let none = alternatives(&components, &json!({ "allOf": [word, count] }));
        assert!(none.is_empty(), "no text is a number");
        let object = |name: &str| json!({ "type": "object", "required": [name], "properties": { name: word } });
        let both = alternatives(&components, &json!({ "allOf": [object("a"), object("b")] }));
        assert_eq!(both[0]["required"], json!(["a", "b"]));
        assert_eq!(both[0]["properties"].as_object().map(serde_json::Map::len), Some(2));
    }
}
