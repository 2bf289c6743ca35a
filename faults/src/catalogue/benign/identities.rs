//! Translates ids: into another form in responses, and back in requests.

use serde_json::{Map, Value, json};

use super::body;
use super::fields::NOT_OF_THE_SERVER;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, encode};

/// Function that makes the other form of an id.
type Form = fn(&str) -> String;

/// Returns the other form of an id and remembers it.
pub(super) fn other_form(id: &str, memory: &Memory, form: Form) -> String {
    if let Some(known) = memory.text(&outward(id)) {
        return known;
    }
    let mut other = form(id);
    while memory.get_or_put(&inward(&other), id) != id {
        other.push('0');
    }
    memory.get_or_put(&addressed(&encode(id)), encode(&other));
    memory.get_or_put(&outward(id), other.clone());
    other
}

/// Returns the server's form of an id in a request. Returns none if it already has that form.
pub(super) fn own_form(sent: &str, memory: &Memory) -> String {
    match memory.text(&inward(sent)) {
        Some(own) => own,
        None if memory.get(&outward(sent)).is_some() => format!("{sent}-in-another-form"),
        None => sent.to_owned(),
    }
}

/// Name under which the other form of an id is stored.
fn outward(id: &str) -> String {
    format!("out: {id}")
}

/// Same for an id that is percent-encoded.
fn addressed(id: &str) -> String {
    format!("in addresses: {id}")
}

fn inward(other: &str) -> String {
    format!("in: {other}")
}

/// Returns true if the path of an operation ends with an id of the server.
pub(super) fn names_record(request: &Request) -> bool {
    use Operation::{CancelJob, GetArticle, GetJob, GetLead, GetScheduledPost};
    matches!(request.operation(), Some(CancelJob | GetArticle | GetJob | GetLead | GetScheduledPost))
}

/// Translates the ids of a request to the server's.
pub(super) fn take_back(request: &mut Request, memory: &Memory) {
    if let Some(id) = request.id().filter(|_| names_record(request)) {
        let own = own_form(&id, memory);
        if own != id {
            request.set_id(&own);
        }
    }
    if let Some(id) = request.parameter("article_id").filter(|_| request.is(Operation::ListLeads)) {
        request.set_parameter("article_id", &own_form(&id, memory));
    }
    if request.is(Operation::CaptureLead) {
        take_back_from_form(request, |id| own_form(id, memory));
    }
}

/// Translates the article id in a lead form to the server's.
pub(super) fn take_back_from_form(request: &mut Request, own: impl Fn(&str) -> String) {
    if request.json().is_some() {
        request.edit(|lead| body::edit_text(lead, "article_id", own));
        return;
    }
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(&request.body).into_owned().collect();
    if pairs.iter().any(|(name, id)| name == "article_id" && own(id) != *id) {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs {
            let value = if name == "article_id" { own(&value) } else { value };
            form.append_pair(&name, &value);
        }
        request.body = form.finish().into();
    }
}

/// Translates the ids of a response.
pub(super) fn hand_out(response: &mut Response, request: &Request, memory: &Memory, form: Form) {
    if request.operation().is_none_or(|operation| operation == Operation::CaptureLead) {
        return;
    }
    if response.is_success() {
        response.edit(|body| rewrite(body, memory, form));
    } else if response.code().is_some() && names_record(request) {
        response.edit(|problem| {
            problem["instance"] = json!(request.public_path());
            if let Some(Value::String(detail)) = problem.get_mut("detail") {
                *detail = rewrite_text(detail, memory, false);
            }
        });
    }
    response.remove("content-length");
    for name in ["location", "content-location", "link"] {
        response.change(name, |value| rewrite_text(value, memory, true));
    }
}

/// Translates a payload. The event keeps its own id, because its signature covers it.
pub(super) fn rewrite_event(hook: &mut Request, memory: &Memory, form: Form) {
    hook.edit(|event| {
        if let Some(data) = event.get_mut("data") {
            rewrite(data, memory, form);
        }
    });
}

fn rewrite(value: &mut Value, memory: &Memory, form: Form) {
    match value {
        Value::Object(members) => rewrite_members(members, memory, form),
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, memory, form)),
        _ => {}
    }
}

fn rewrite_members(members: &mut Map<String, Value>, memory: &Memory, form: Form) {
    for (name, member) in members {
        match (name.as_str(), member) {
            ("id" | "job_id" | "article_id" | "scheduled_post_id", Value::String(id)) => {
                *id = other_form(id, memory, form);
            }
            (name, member) if !NOT_OF_THE_SERVER.contains(&name) => rewrite(member, memory, form),
            _ => {}
        }
    }
}

/// Replaces every known id in a text or an address, whatever characters ids have.
pub(super) fn rewrite_text(text: &str, memory: &Memory, is_address: bool) -> String {
    let mut written = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        // Other parameters, such as a page token or a limit, may look like an id.
        if text[..at].ends_with('=') && !text[..at].ends_with("id=") {
            let length = text[at..].find(['&', '>', ' ', '"']).unwrap_or(text.len() - at);
            written.push_str(&text[at..at + length]);
            at += length;
            if length > 0 {
                continue;
            }
        }
        if let Some((length, other)) = id_at(text, at, memory, is_address) {
            written.push_str(&other);
            at += length;
        } else {
            written.push(letter);
            at += letter.len_utf8();
        }
    }
    written
}

/// Returns the length and the other form of the longest known id at this position. Skips ids within a longer word, such
/// as `1` in `v1`.
fn id_at(text: &str, at: usize, memory: &Memory, is_address: bool) -> Option<(usize, String)> {
    let (before, rest) = text.split_at(at);
    let slot: fn(&str) -> String = if is_address { addressed } else { outward };
    let is_escape = before.len() > 2 && before.as_bytes()[before.len() - 3] == b'%';
    if !is_escape && before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let ends = rest.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()).map(|(end, _)| end);
    let ends: Vec<usize> = ends.chain([rest.len()]).filter(|end| *end > 0).collect();
    ends.into_iter().rev().find_map(|end| Some((end, memory.text(&slot(&rest[..end]))?)))
}
