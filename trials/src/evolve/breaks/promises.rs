//! Breaks the promises that the document makes beside its schemas.

use serde_json::{Value, json};

use super::super::places::{self, escaped, remove, set};
use super::super::random::Random;

/// The changed place, and a description for people.
type Done = Option<(String, String)>;

pub(super) fn hook_removed(document: &mut Value, random: &mut Random) -> Done {
    let hook = random.one_of(&places::names(document, "/x-webhooks"))?.clone();
    let place = format!("/x-webhooks/{}", escaped(&hook));
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn security_tightened(document: &mut Value, random: &mut Random) -> Done {
    let operation = random.one_of(&places::operations(document))?.clone();
    set(document, &operation, "security", json!([{ "platform_key": [], "client_certificate": [] }]))?;
    Some((operation, "needs a certificate, too".to_owned()))
}

pub(super) fn scheme_changed(document: &mut Value, random: &mut Random) -> Done {
    let place = "/components/securitySchemes/platform_key";
    if random.happens(50) {
        set(document, place, "scheme", json!("basic"))?;
    } else {
        set(document, place, "type", json!("apiKey"))?;
    }
    Some((place.to_owned(), "sent in another way".to_owned()))
}

pub(super) fn scope_changed(document: &mut Value, random: &mut Random) -> Done {
    let operation = random.one_of(&places::operations(document))?.clone();
    set(document, &operation, "x-required-scope", json!(format!("{}:read", random.word())))?;
    Some((operation, "another scope".to_owned()))
}

pub(super) fn quota_changed(document: &mut Value, random: &mut Random) -> Done {
    let operation = random.one_of(&places::operations(document))?.clone();
    set(document, &operation, "x-rate-limit-policy", json!(random.word()))?;
    Some((operation, "another quota".to_owned()))
}

pub(super) fn repeatable_removed(document: &mut Value, random: &mut Random) -> Done {
    let mut repeatable = places::operations(document);
    repeatable.retain(|operation| document.pointer(&format!("{operation}/x-repeatable")).is_some());
    let place = format!("{}/x-repeatable", random.one_of(&repeatable)?);
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

/// Removes a code from the table, or from a response.
pub(super) fn problem_code_removed(document: &mut Value, random: &mut Random) -> Done {
    if random.happens(50) {
        let code = random.one_of(&places::names(document, "/x-problem-codes"))?.clone();
        let place = format!("/x-problem-codes/{code}");
        remove(document, &place)?;
        return Some((place, "removed".to_owned()));
    }
    let mut responses: Vec<String> = places::operations(document)
        .iter()
        .flat_map(|operation| places::responses(document, operation))
        .map(|response| format!("{}/x-codes", places::resolved(document, &response)))
        .collect();
    responses.retain(|codes| document.pointer(codes).is_some());
    let place = random.one_of(&responses)?.clone();
    let codes = document.pointer_mut(&place)?.as_array_mut()?;
    let code = codes.remove(random.below(codes.len()));
    Some((place, format!("{code} removed")))
}

pub(super) fn problem_code_changed(document: &mut Value, random: &mut Random) -> Done {
    let code = random.one_of(&places::names(document, "/x-problem-codes"))?.clone();
    let place = format!("/x-problem-codes/{code}");
    let retryable = document.pointer(&place)?["retryable"] == json!(true);
    let changes = [
        ("status", json!(418)),
        ("title", json!("Other")),
        ("type", json!("urn:other")),
        ("retryable", json!(!retryable)),
    ];
    let (name, value) = random.one_of(&changes)?.clone();
    set(document, &place, name, value)?;
    Some((place, format!("another {name}")))
}

pub(super) fn limit_removed(document: &mut Value, random: &mut Random) -> Done {
    let limit = random.one_of(&places::names(document, "/x-limits"))?.clone();
    let place = format!("/x-limits/{limit}");
    remove(document, &place)?;
    Some((place, "removed".to_owned()))
}

pub(super) fn limit_tightened(document: &mut Value, random: &mut Random) -> Done {
    // Bounds on the service's own messages are tightened by more.
    let received = ["hook_body", "hook_body_whole", "problem_errors"];
    let limit = random.one_of(&places::names(document, "/x-limits"))?.clone();
    let place = format!("/x-limits/{limit}");
    let entry = document.pointer_mut(&place)?.as_object_mut()?;
    let number = |entry: &serde_json::Map<String, Value>, name: &str| entry.get(name).and_then(Value::as_i64);
    let (name, value) = match (number(entry, "maximum"), number(entry, "minimum")) {
        (Some(maximum), _) if received.contains(&limit.as_str()) => ("maximum", json!(maximum + 1)),
        (Some(_), Some(minimum)) if random.happens(50) => ("minimum", json!(minimum + 1)),
        (Some(maximum), _) => ("maximum", json!(maximum - 1)),
        (None, minimum) => ("minimum", json!(minimum? - 1)),
    };
    entry.insert(name.to_owned(), value);
    Some((place, format!("another {name}")))
}

pub(super) fn core_promise_weakened(document: &mut Value, random: &mut Random) -> Done {
    match random.below(3) {
        0 => {
            let place = "/components/schemas/QueuedJob/x-core-required";
            document.pointer_mut(place)?.as_array_mut()?.clear();
            Some((place.to_owned(), "nothing is promised".to_owned()))
        }
        1 => {
            let place = "/components/schemas/Job";
            set(document, place, "x-core-required", json!([]))?;
            Some((format!("{place}/x-core-required"), "nothing is promised".to_owned()))
        }
        _ => {
            let place = "/paths/~1api~1v1~1generate/post/responses/202";
            set(document, place, "x-core-status", json!("3XX"))?;
            Some((place.to_owned(), "other statuses".to_owned()))
        }
    }
}

pub(super) fn invariant_removed(document: &mut Value, random: &mut Random) -> Done {
    let mut holders = places::received_schemas(document);
    holders.extend(places::operations(document));
    let mut lists: Vec<String> = holders.into_iter().map(|holder| format!("{holder}/x-conformance")).collect();
    lists.retain(|list| document.pointer(list).is_some());
    let place = random.one_of(&lists)?.clone();
    let list = document.pointer_mut(&place)?.as_array_mut()?;
    let removed = list.remove(random.below(list.len()));
    Some((place, format!("{} removed", removed["id"])))
}

pub(super) fn personal_data_unmarked(document: &mut Value, random: &mut Random) -> Done {
    let mut marked = places::received_schemas(document);
    marked.extend(places::sent_schemas(document));
    marked.retain(|schema| document.pointer(&format!("{schema}/x-personal-data")).is_some());
    let place = format!("{}/x-personal-data", random.one_of(&marked)?);
    remove(document, &place)?;
    Some((place, "no mark".to_owned()))
}

pub(super) fn server_removed(document: &mut Value, _: &mut Random) -> Done {
    document.pointer_mut("/servers/0")?["url"] = json!("https://elsewhere.example");
    Some(("/servers/0".to_owned(), "another address".to_owned()))
}
