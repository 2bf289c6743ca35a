//! Integers become unsigned numbers of a fitting width where the document excludes negative ones, instead of types
//! that enforce the exact range on answers.

use anyhow::Result;
use serde_json::{Value, json};

use super::document::{for_each_operation, for_each_schema, schemas_mut};

/// Gives every integer of the document its format.
pub(super) fn widen(document: &mut Value) -> Result<()> {
    for (_, schema) in schemas_mut(document).into_iter().flatten() {
        for_each_schema(schema, &mut |schema| {
            set_format(schema);
            Ok(())
        })?;
    }
    for_each_operation(document, |_, _, operation| {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(schema) = parameter.get_mut("schema") {
                set_format(schema);
            }
        }
        Ok(())
    })
}

/// Chooses the width of one integer.
fn set_format(schema: &mut Value) {
    if schema.get("type") != Some(&json!("integer")) {
        return;
    }
    let not_negative = schema.get("minimum").and_then(Value::as_i64).is_some_and(|minimum| minimum >= 0);
    let large = schema.get("maximum").and_then(Value::as_u64).is_some_and(|maximum| maximum > u64::from(u32::MAX));
    let wide = large || schema.get("format") == Some(&json!("int64"));
    let format = match (not_negative, wide) {
        (true, false) => "uint32",
        (true, true) => "uint64",
        (false, _) => "int64",
    };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("format".to_owned(), json!(format));
    }
}
