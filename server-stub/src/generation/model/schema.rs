//! The JSON Schema of a draft, in the subset that providers accept in strict mode.

use std::sync::LazyLock;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::generation::generator::ArticleDraft;

use super::providers::OutputShape;

/// Keywords that strict modes do not accept.
const NOT_STRICT: [&str; 5] = ["$schema", "title", "format", "minimum", "maximum"];

/// Schema that a model's draft must match.
pub(super) static DRAFT: LazyLock<OutputShape> = LazyLock::new(|| OutputShape {
    name: "article_draft",
    description: "Hands in the article.",
    schema: strict_schema::<ArticleDraft>(),
});

/// Returns the schema of a type without references. Additional properties are not allowed in any object.
pub(super) fn strict_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_strict(&mut schema, true);
    schema
}

/// Makes a schema strict. `is_schema` is false for the object that lists the properties, because a property may be called `title`.
fn make_strict(value: &mut Value, is_schema: bool) {
    match value {
        Value::Object(members) => {
            if is_schema {
                members.retain(|name, _| !NOT_STRICT.contains(&name.as_str()));
                if members.contains_key("properties") {
                    members.insert("additionalProperties".to_owned(), Value::Bool(false));
                }
            }
            for (name, member) in members {
                make_strict(member, !is_schema || name != "properties");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| make_strict(item, true)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the requirements of strict modes for every object.
    fn assert_strict(schema: &Value) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            assert_eq!(schema["additionalProperties"], false, "{schema}");
            let required: Vec<_> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert!(properties.keys().all(|name| required.contains(&name.as_str())), "{schema}");
            properties.values().for_each(assert_strict);
        }
        if let Some(items) = schema.get("items") {
            assert_strict(items);
        }
    }

    #[test]
    fn the_schema_of_a_draft_is_strict_and_has_its_members() {
        let schema = &DRAFT.schema;
        assert_strict(schema);
        assert!(!schema.to_string().contains("$ref") && !schema.to_string().contains("uint8"), "{schema}");
        for member in ["title", "excerpt", "meta_description", "sections", "faq", "keywords", "tags", "hero_alt"] {
            assert!(schema["properties"].get(member).is_some(), "{member} in {schema}");
        }
        assert!(schema["properties"]["sections"]["items"]["properties"].get("markdown").is_some(), "{schema}");
    }
}
