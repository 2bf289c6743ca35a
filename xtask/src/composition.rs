//! Schemas that are composed by `allOf`.

use serde_json::Value;

/// Merges each component that is an `allOf` of several objects into one object. Later properties replace earlier ones of the
/// same name. A part that is itself such an `allOf` is not merged.
pub fn compose(root: &mut Value) {
    let Some(schemas) = root.pointer("/components/schemas").and_then(Value::as_object).cloned() else { return };
    for (name, schema) in &schemas {
        let parts = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        if parts.len() < 2 {
            continue;
        }
        let mut whole = schema.clone();
        if let Some(members) = whole.as_object_mut() {
            members.remove("allOf");
        }
        let mut required = whole.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for part in parts {
            let target = part.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next());
            let part = target.and_then(|name| schemas.get(name)).unwrap_or(part);
            required.extend(part.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
            for (name, property) in part.get("properties").and_then(Value::as_object).into_iter().flatten() {
                whole["properties"][name] = property.clone();
            }
        }
        whole["type"] = "object".into();
        whole["required"] = required.into();
        root["components"]["schemas"][name] = whole;
    }
}
