//! Contents of webhooks: event, type, ids, shape, size, and the schemas that body and headers of each type must fit.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::check::{Halt, Verdict, demand, ensure};
use crate::inbox::HookRequest;
use crate::spec::{Document, Operation};
use crate::strategies::Space;

/// Fields of `data` with the text of an article. A user can choose that an endpoint gets them.
pub(crate) const TEXTS: [&str; 2] = ["content_markdown", "content_html"];

/// Maximum size of a webhook without the text of an article, in bytes.
const THIN: usize = 20 * 1024;

/// Minimum length of an id, in bytes, that no webhook contains by chance.
const SHORTEST_ID: usize = 8;

/// Number of labels in [`long_labels`].
const LABELS: usize = 12;

/// Stands for the type of a field that has several types in one webhook.
const SEVERAL: &str = "several types";

/// Returns the id of the event.
pub(crate) fn event_of(hook: &HookRequest) -> Option<String> {
    let in_body = || hook.json()?["id"].as_str().map(ToOwned::to_owned);
    hook.header("webhook-id").map(ToOwned::to_owned).or_else(in_body)
}

/// Returns true if the webhook has this type.
pub(crate) fn has_type(hook: &HookRequest, kind: &str) -> bool {
    hook.json().is_some_and(|body| body["type"] == kind)
}

/// Returns true if a text or a number in the body equals `id`.
pub(crate) fn names(hook: &HookRequest, id: &str) -> bool {
    hook.json().is_some_and(|body| contains(&body, id))
}

fn contains(value: &Value, id: &str) -> bool {
    match value {
        Value::String(text) => text == id,
        Value::Number(number) => number.to_string() == id,
        Value::Array(items) => items.iter().any(|item| contains(item, id)),
        Value::Object(fields) => fields.values().any(|field| contains(field, id)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Demands that none of the webhooks names `id`. Nothing is decided for a short id, which a webhook may contain by chance.
#[track_caller]
pub(crate) fn ensure_unnamed(hooks: &[HookRequest], id: &str, expected: impl Into<String>) -> Verdict {
    let Some(hook) = hooks.iter().find(|hook| names(hook, id)) else { return Ok(()) };
    if id.len() < SHORTEST_ID {
        return Err(Halt::inconclusive(format!("a webhook contains `{id}`, which is too short to be surely the id")));
    }
    Err(Halt::fail(expected, demand::beginning(&hook.body)))
}

/// Returns the type of every field below `value`. Items of an array count as one field, and null as an absent field.
pub(crate) fn shape(value: &Value) -> BTreeMap<String, &'static str> {
    fn walk(value: &Value, at: &str, found: &mut BTreeMap<String, &'static str>) {
        let Some(kind) = type_of(value) else { return };
        match value {
            Value::Array(items) if items.iter().filter_map(type_of).collect::<BTreeSet<_>>().len() < 2 => {
                for item in items {
                    walk(item, &format!("{at}/*"), found);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    walk(field, &format!("{at}/{name}"), found);
                }
            }
            // Items of several types have no type in common.
            _ => {}
        }
        let known = found.entry(at.to_owned()).or_insert(kind);
        if *known != kind {
            *known = SEVERAL;
        }
    }
    let mut found = BTreeMap::new();
    walk(value, "", &mut found);
    found
}

/// Returns the JSON type of a value, or `None` for null.
fn type_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some("boolean"),
        Value::Number(_) => Some("number"),
        Value::String(_) => Some("string"),
        Value::Array(_) => Some("array"),
        Value::Object(_) => Some("object"),
    }
}

/// Demands that each field has the same type in all webhooks.
pub(crate) fn same_shape(hooks: &[HookRequest]) -> Verdict {
    let mut known: BTreeMap<String, &'static str> = BTreeMap::new();
    for hook in hooks {
        for (field, kind) in shape(&hook.json().unwrap_or_default()) {
            let before = *known.entry(field.clone()).or_insert(kind);
            let is_same = before == kind || before == SEVERAL || kind == SEVERAL;
            ensure(is_same, format!("{field} to be a {before} in every webhook"), || format!("a {kind}"))?;
        }
    }
    Ok(())
}

/// Returns metadata that takes more than `bytes` bytes in JSON.
pub(crate) fn long_labels(bytes: usize) -> Value {
    // Each of these letters takes at least four bytes.
    let text = "\u{1f35e}".repeat(bytes.div_ceil(4 * LABELS));
    (0..LABELS).map(|number| (format!("label_{number}"), json!(text))).collect()
}

/// Demands at most 20 KiB, without the text of the article.
pub(crate) fn is_thin(hook: &HookRequest) -> Verdict {
    let mut body = hook.json().unwrap_or_default();
    let data = body.get_mut("data").and_then(Value::as_object_mut);
    let texts = data.map(|data| TEXTS.map(|name| data.remove(name)));
    let has_text = texts.is_some_and(|texts| texts.iter().any(Option::is_some));
    let size = if has_text { body.to_string().len() } else { hook.body.len() };
    ensure(size <= THIN, "at most 20 KiB", || format!("{size} bytes"))
}

/// Entry of `x-webhooks` for types that the document does not have.
const UNKNOWN: &str = "unknown";

/// Returns the schema of the body and the schemas of the headers for each type.
pub(crate) fn kinds(space: &Space) -> Value {
    let headers = |kind: &Operation| -> Value {
        let headers = kind.parameters.iter().filter(|parameter| parameter.location == "header");
        headers.map(|header| (header.name.clone(), header.schema.clone())).collect()
    };
    let kinds = space.document().hooks().iter();
    kinds.map(|kind| (kind.path.clone(), json!({ "body": kind.request_schema, "headers": headers(kind) }))).collect()
}

/// Demands that body and headers of a webhook fit the schemas of its type among `kinds`. Skips a webhook whose body is not JSON.
pub(crate) fn fits_kind(document: &Document, kinds: &Value, hook: &HookRequest) -> Verdict {
    let Some(body) = hook.json() else { return Ok(()) };
    let name = body["type"].as_str().unwrap_or_default();
    let kind = kinds.get(name).or_else(|| kinds.get(UNKNOWN)).unwrap_or(&Value::Null);
    let schema = kind["body"].as_str().unwrap_or_default();
    demand::schema_of(document, &body, schema)?;
    for (header, schema) in kind["headers"].as_object().into_iter().flatten() {
        let told = hook.header(header).unwrap_or_default();
        let is_valid = document.fits(schema, &json!(told));
        ensure(is_valid, format!("{header} of the form {schema} in a webhook of type {name}"), || told.to_owned())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{SEVERAL, contains, shape};

    #[test]
    fn items_of_several_types_have_no_type() {
        let found =
            shape(&json!({ "a": [1, "x", { "b": 1 }], "c": [{ "d": 1 }, { "d": "x", "e": null }], "f": [1, null] }));
        let expected = [
            ("", "object"),
            ("/a", "array"),
            ("/c", "array"),
            ("/c/*", "object"),
            ("/c/*/d", SEVERAL),
            ("/f", "array"),
            ("/f/*", "number"),
        ];
        assert_eq!(found, BTreeMap::from(expected.map(|(at, kind)| (at.to_owned(), kind))));
    }

    #[test]
    fn an_id_is_found_as_a_whole_value_only() {
        let body = json!({ "data": { "ids": ["job_12345678", 87_654_321], "note": "about art_12345678" } });
        assert!(contains(&body, "job_12345678") && contains(&body, "87654321"));
        assert!(!contains(&body, "job_1234567") && !contains(&body, "art_12345678"));
    }
}
