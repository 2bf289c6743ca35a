//! Ids in another form, wherever they go in and out. A website keeps its id, which its owner knows from elsewhere.

use serde_json::{Map, Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::fields::NOT_OF_THE_SERVER;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response};

/// Characters of a long id.
const LENGTH: usize = 100;
/// What a long id goes on with: each mark that needs no encoding.
const MARKS: &str = "-._~";

type Form = fn(&str) -> String;

pub(super) const FAULTS: &[Fault] = &[
    variant("benign.ids-upper", "Ids are written in capitals.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, upper))
        .hook(|hook, _, memory| rewrite_event(hook, memory, upper)),
    variant("benign.ids-long", "Ids have a hundred characters, with every mark that needs no encoding.", Profile::Full)
        .request(take_back)
        .response(|response, request, memory| hand_out(response, request, memory, long))
        .hook(|hook, _, memory| rewrite_event(hook, memory, long)),
];

fn upper(id: &str) -> String {
    id.to_uppercase()
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
    use Operation::{CancelJob, GetArticle, GetJob, GetLead};
    matches!(request.operation(), Some(CancelJob | GetArticle | GetJob | GetLead))
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

/// A text or an address in which every id that was handed out has its other form.
fn rewrite_text(text: &str, memory: &Memory) -> String {
    let is_of_id = |letter: char| letter.is_alphanumeric() || "-._~".contains(letter);
    let mut rest = text;
    let mut written = String::with_capacity(text.len());
    while let Some(letter) = rest.chars().next() {
        let length = rest.find(|letter| !is_of_id(letter)).unwrap_or(rest.len()).max(letter.len_utf8());
        let (word, behind) = rest.split_at(if is_of_id(letter) { length } else { letter.len_utf8() });
        written.push_str(&memory.text(&outward(word)).unwrap_or_else(|| word.to_owned()));
        rest = behind;
    }
    written
}
