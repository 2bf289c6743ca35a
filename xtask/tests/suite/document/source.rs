//! The document as JSON, and functions that iterate over it.

use std::path::Path;

use serde_json::{Map, Value};

/// Reads `openapi.yaml` from the workspace root.
pub(crate) fn document() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi.yaml");
    let text = std::fs::read_to_string(path).expect("the document lies in the workspace root");
    serde_saphyr::from_str(&text).expect("the document is YAML")
}

/// Calls `visit` with the JSON pointer and the value of every object in the tree, the outer ones first.
pub(crate) fn for_each_object<'tree>(tree: &'tree Value, visit: &mut dyn FnMut(&str, &'tree Map<String, Value>)) {
    walk(tree, "", visit);
}

fn walk<'tree>(tree: &'tree Value, pointer: &str, visit: &mut dyn FnMut(&str, &'tree Map<String, Value>)) {
    match tree {
        Value::Object(members) => {
            visit(pointer, members);
            for (name, value) in members {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                walk(value, &format!("{pointer}/{escaped}"), visit);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                walk(value, &format!("{pointer}/{index}"), visit);
            }
        }
        _ => {}
    }
}

/// Every operation with its place: those of the service and the hooks.
pub(crate) fn operations(document: &Value) -> Vec<(String, &Value)> {
    ["paths", "x-webhooks"].into_iter().flat_map(|section| operations_of(document, section)).collect()
}

/// The operations of one section that maps names to path items.
pub(crate) fn operations_of<'tree>(document: &'tree Value, section: &str) -> Vec<(String, &'tree Value)> {
    let items = document[section].as_object().expect("the section maps names to path items");
    items
        .iter()
        .flat_map(|(path, item)| {
            ["get", "post"]
                .into_iter()
                .filter_map(move |method| item.get(method).map(|operation| (format!("{method} {path}"), operation)))
        })
        .collect()
}

/// Every named schema with its pointer.
pub(crate) fn named_schemas(document: &Value) -> Vec<(String, &Value)> {
    const SCHEMAS: &str = "/components/schemas";
    let schemas = document.pointer(SCHEMAS).and_then(Value::as_object).expect("the document has schemas");
    schemas.iter().map(|(name, schema)| (format!("{SCHEMAS}/{name}"), schema)).collect()
}
