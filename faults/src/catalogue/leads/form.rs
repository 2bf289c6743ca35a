//! Reads and changes lead forms, JSON and form-encoded alike. Fields have the flat names of the form, such as
//! `form_id`.

use serde_json::{Map, Value, json};

use crate::message::{Operation, Request};

/// Maximum size of a form in bytes, and maximum number of additional fields, in the document.
pub(in super::super) const MAX_BYTES: usize = 16 * 1024;
pub(in super::super) const MAX_FIELDS: usize = 32;

/// Field hidden from people, who leave it empty.
pub(in super::super) const TRAP: &str = "_hp";

/// Places of nested fields in JSON.
fn place(name: &str) -> String {
    match name {
        "page_url" | "referrer" | "form_id" => format!("/source/{name}"),
        _ => format!("/{name}"),
    }
}

/// Returns true if the request is a form-encoded lead form.
pub(in super::super) fn is_url_encoded(request: &Request) -> bool {
    let media_type = request.header("content-type").unwrap_or_default().to_ascii_lowercase();
    request.is(Operation::CaptureLead) && media_type.starts_with("application/x-www-form-urlencoded")
}

/// Returns true if the request is a JSON lead form.
pub(in super::super) fn is_json(request: &Request) -> bool {
    request.is(Operation::CaptureLead)
        && !is_url_encoded(request)
        && request.json().is_some_and(|body| body.is_object())
}

/// Returns names and values of a form-encoded form, in their order.
fn pairs(request: &Request) -> Vec<(String, String)> {
    url::form_urlencoded::parse(&request.body).into_owned().collect()
}

/// Changes a form-encoded form.
pub(in super::super) fn edit_pairs(request: &mut Request, edit: impl FnOnce(&mut Vec<(String, String)>)) {
    if !is_url_encoded(request) {
        return;
    }
    let mut all = pairs(request);
    let before = all.clone();
    edit(&mut all);
    if all != before {
        request.body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish().into();
    }
}

/// Changes a JSON form.
pub(in super::super) fn edit_json(request: &mut Request, edit: impl FnOnce(&mut Value)) {
    if is_json(request) {
        request.edit(edit);
    }
}

/// Returns a text of the form if it is not empty.
pub(in super::super) fn text(request: &Request, name: &str) -> Option<String> {
    let found = if is_url_encoded(request) {
        pairs(request).into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
    } else if is_json(request) {
        request.json().and_then(|body| Some(body.pointer(&place(name))?.as_str()?.to_owned()))
    } else {
        None
    };
    found.filter(|text| !text.is_empty())
}

/// Sets a text of the form, or removes it.
pub(in super::super) fn set_text(request: &mut Request, name: &str, value: Option<&str>) {
    edit_pairs(request, |pairs| {
        pairs.retain(|(found, _)| found != name);
        pairs.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    });
    edit_json(request, |body| {
        let place = place(name);
        let holder = if place.starts_with("/source/") {
            if body.get("source").is_none() && value.is_none() {
                return;
            }
            let source = &mut body["source"];
            if source.is_null() && value.is_some() {
                *source = json!({});
            }
            source
        } else {
            body
        };
        let Some(members) = holder.as_object_mut() else { return };
        match value {
            Some(value) => members.insert(name.to_owned(), json!(value)),
            None => members.remove(name),
        };
    });
}

/// Changes a text of the form within the document's limit. The server must refuse a longer one.
pub(in super::super) fn change(request: &mut Request, name: &str, max: usize, change: impl FnOnce(&str) -> String) {
    if let Some(former) = text(request, name).filter(|text| text.chars().count() <= max) {
        let changed = change(&former);
        if changed != former {
            set_text(request, name, Some(&changed));
        }
    }
}

/// Adds a field, if the limit allows one more.
pub(in super::super) fn add_field(request: &mut Request, name: &str, value: &str) {
    let before = request.body.clone();
    edit_pairs(request, |pairs| pairs.push((name.to_owned(), value.to_owned())));
    edit_json(request, |body| {
        if body["fields"].is_null() {
            body["fields"] = json!({});
        }
        if let Some(fields) = body["fields"].as_object_mut().filter(|fields| fields.len() < MAX_FIELDS) {
            fields.insert(name.to_owned(), json!(value));
        }
    });
    if request.body.len() > MAX_BYTES {
        request.body = before;
    }
}

/// Returns true if the trap is filled.
pub(in super::super) fn is_trapped(request: &Request) -> bool {
    text(request, TRAP).is_some()
}

/// Fills the trap and removes the content. The server responds as usual and stores nothing about the sender.
pub(in super::super) fn leave_nothing(request: &mut Request) {
    for name in ["name", "company", "phone", "message", "page_url", "referrer"] {
        set_text(request, name, None);
    }
    set_text(request, "email", Some("robot@example.com"));
    set_text(request, TRAP, Some("nobody sees this"));
}

/// Identity of the sender in the document: website, form and e-mail without ASCII case. `None` without an e-mail.
pub(in super::super) fn identity(request: &Request) -> Option<String> {
    let email = text(request, "email")?;
    Some(joined(&request.id()?, &text(request, "form_id").unwrap_or_default(), &email))
}

/// Same for a lead.
pub(in super::super) fn identity_of_lead(lead: &Value) -> Option<String> {
    let form = lead.pointer("/source/form_id").and_then(Value::as_str).unwrap_or_default();
    Some(joined(lead.get("website_id")?.as_str()?, form, lead.get("email")?.as_str()?))
}

fn joined(website_id: &str, form: &str, email: &str) -> String {
    json!([website_id, form, email.to_ascii_lowercase()]).to_string()
}

/// Returns the fields that a lead would copy from the form unchanged.
pub(in super::super) fn as_lead(request: &Request) -> Map<String, Value> {
    let body = request.json().filter(|_| is_json(request)).unwrap_or_default();
    let mut lead = Map::new();
    for name in ["email", "name", "company", "phone", "message"] {
        lead.insert(name.to_owned(), json!(text(request, name)));
    }
    lead.insert("phone_typed".to_owned(), lead["phone"].clone());
    if is_json(request) {
        let map = |place: &str| body.pointer(place).filter(|value| value.is_object()).cloned().unwrap_or(json!({}));
        lead.insert("fields".to_owned(), map("/fields"));
        let source = |name: &str| body.pointer(&format!("/source/{name}")).cloned();
        let [page_url, referrer, form_id] = ["page_url", "referrer", "form_id"].map(source);
        let source =
            json!({ "page_url": page_url, "referrer": referrer, "form_id": form_id, "utm": map("/source/utm") });
        lead.insert("source".to_owned(), source);
        lead.insert("consent".to_owned(), consent(request));
    }
    lead
}

/// Returns the consent without its time.
pub(in super::super) fn consent(request: &Request) -> Value {
    let body = request.json().unwrap_or_default();
    let given = body.pointer("/consent/given").and_then(Value::as_bool).unwrap_or(false);
    json!({ "given": given, "text": body.pointer("/consent/text") })
}
