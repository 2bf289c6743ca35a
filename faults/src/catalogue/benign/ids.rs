//! Ids in another form, wherever they go in and out. A website keeps its id, which its owner knows from elsewhere.

use serde_json::{Map, Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::fields::NOT_OF_THE_SERVER;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, encode};

/// Characters of a long id.
const LENGTH: usize = 100;
/// What a long id goes on with: each mark that needs no encoding.
const MARKS: &str = "-._~";

type Form = fn(&str) -> String;

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.ids-upper", "The letters of ids have the other case.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, other_case))
        .hook(|hook, _, memory| rewrite_event(hook, memory, other_case)),
    variant("benign.ids-long", "Ids have a hundred characters, with every mark that needs no encoding.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, long))
        .hook(|hook, _, memory| rewrite_event(hook, memory, long)),
];

/// Two ids that differ in case alone still differ. An id without letters gets one at its end.
fn other_case(id: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    if id.contains(|letter: char| letter.is_ascii_alphabetic()) {
        id.chars().map(swap).collect()
    } else {
        format!("{id}x")
    }
}

fn long(id: &str) -> String {
    let end = MARKS.chars().chain(('a'..='z').chain('0'..='9').cycle());
    id.chars().chain(end).take(LENGTH.max(id.chars().count())).collect()
}

/// The other form of an id, which from now on stands for it.
fn other_form(id: &str, memory: &Memory, form: Form) -> String {
    if let Some(known) = memory.text(&outward(id)) {
        return known;
    }
    let mut other = form(id);
    while memory.get_or_put(&inward(&other), id) != id {
        other.push('0');
    }
    memory.get_or_put(&outward(&encode(id)), encode(&other));
    memory.get_or_put(&outward(id), other.clone());
    other
}

/// The server's form of an id that was sent. In the server's form it is none.
fn own_form(sent: &str, memory: &Memory) -> String {
    match memory.text(&inward(sent)) {
        Some(own) => own,
        None if memory.get(&outward(sent)).is_some() => format!("{sent}-in-another-form"),
        None => sent.to_owned(),
    }
}

fn outward(id: &str) -> String {
    format!("out: {id}")
}

fn inward(other: &str) -> String {
    format!("in: {other}")
}

/// Whether the path of an operation ends with an id that the server gave out.
fn names_record(request: &Request) -> bool {
    use Operation::{CancelJob, GetArticle, GetJob, GetLead, GetScheduledPost};
    matches!(request.operation(), Some(CancelJob | GetArticle | GetJob | GetLead | GetScheduledPost))
}

fn take_back(request: &mut Request, memory: &Memory) {
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
        take_back_from_form(request, memory);
    }
}

fn take_back_from_form(request: &mut Request, memory: &Memory) {
    if request.json().is_some() {
        request.edit(|lead| {
            if let Some(Value::String(id)) = lead.get_mut("article_id") {
                *id = own_form(id, memory);
            }
        });
        return;
    }
    let pairs: Vec<(String, String)> = url::form_urlencoded::parse(&request.body).into_owned().collect();
    if pairs.iter().any(|(name, id)| name == "article_id" && own_form(id, memory) != *id) {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs {
            let value = if name == "article_id" { own_form(&value, memory) } else { value };
            form.append_pair(&name, &value);
        }
        request.body = form.finish().into();
    }
}

fn hand_out(response: &mut Response, request: &Request, memory: &Memory, form: Form) {
    if request.operation().is_none_or(|operation| operation == Operation::CaptureLead) {
        return;
    }
    if response.is_success() {
        response.edit(|body| rewrite(body, memory, form));
    } else if response.code().is_some() && names_record(request) {
        response.edit(|problem| {
            problem["instance"] = json!(request.public_path());
            if let Some(Value::String(detail)) = problem.get_mut("detail") {
                *detail = rewrite_text(detail, memory);
            }
        });
    }
    response.remove("content-length");
    for name in ["location", "content-location", "link"] {
        response.change(name, |value| rewrite_text(value, memory));
    }
}

/// A payload; the event itself keeps its id, which its signature holds.
fn rewrite_event(hook: &mut Request, memory: &Memory, form: Form) {
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

/// A text or an address in which every id that was handed out has its other form, whichever characters ids have.
fn rewrite_text(text: &str, memory: &Memory) -> String {
    let mut written = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        // What another parameter holds, such as a page token or a limit, may look like an id and is none.
        if text[..at].ends_with('=') && !text[..at].ends_with("id=") {
            let length = text[at..].find(['&', '>', ' ', '"']).unwrap_or(text.len() - at);
            written.push_str(&text[at..at + length]);
            at += length;
            if length > 0 {
                continue;
            }
        }
        if let Some((length, other)) = id_at(text, at, memory) {
            written.push_str(&other);
            at += length;
        } else {
            written.push(letter);
            at += letter.len_utf8();
        }
    }
    written
}

/// The length and the other form of the longest known id that begins there. It is no part of a longer word, as `1` is of `v1`.
fn id_at(text: &str, at: usize, memory: &Memory) -> Option<(usize, String)> {
    let (before, rest) = text.split_at(at);
    let is_escape = before.len() > 2 && before.as_bytes()[before.len() - 3] == b'%';
    if !is_escape && before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let ends = rest.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()).map(|(end, _)| end);
    let ends: Vec<usize> = ends.chain([rest.len()]).filter(|end| *end > 0).collect();
    ends.into_iter().rev().find_map(|end| Some((end, memory.text(&outward(&rest[..end]))?)))
}

#[cfg(test)]
mod tests {
    use super::{other_case, other_form, own_form, rewrite_text};
    use crate::memory::Memory;

    #[test]
    fn ids_of_any_characters_get_another_form_and_are_taken_back() {
        let memory = Memory::default();
        for (id, other) in [("ab", "AB"), ("AB", "ab"), ("Job:1=", "jOB:1="), ("1", "1x"), ("ab-c", "AB-C")] {
            assert_eq!(other_form(id, &memory, other_case), other);
            assert_eq!(own_form(other, &memory), id);
        }
        let text = "/api/v1/jobs/1, <ab-c> abc /Job:1= /Job%3A1%3D/%2Fab?limit=1&article_id=1";
        let other = "/api/v1/jobs/1x, <AB-C> abc /jOB:1= /jOB%3A1%3D/%2FAB?limit=1&article_id=1x";
        assert_eq!(rewrite_text(text, &memory), other);
    }
}
