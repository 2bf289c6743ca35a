//! Ids in paths that are not taken as they are, like a database or a language with rules of its own takes them.

use serde_json::Value;

use super::super::fault::{Fault, fault};
use crate::memory::Memory;
use crate::message::{Request, Response, edit_objects};

pub(super) const FAULTS: &[Fault] = &[
    fault("http.id-trimmed", "Blanks around an id are trimmed.", &["ids.near.not-found"])
        .request(|request, _| change_id(request, |id| id.trim().to_owned())),
    fault("http.id-to-nul", "An id ends at its first NUL.", &["ids.near.not-found"])
        .request(|request, _| change_id(request, |id| id.split('\0').next().unwrap_or_default().to_owned())),
    fault("http.id-cut", "Of an id as many characters count as ids have.", &["ids.near.not-found"])
        .request(|request, memory| change_id(request, |id| cut(id, memory))),
    fault("http.id-without-case", "Ids are found without regard to case.", &["ids.case.distinct"])
        .request(|request, memory| change_id(request, |id| memory.text(&slot(id)).unwrap_or_else(|| id.to_owned())))
        .response(learn),
    fault("http.id-encoded", "Ids in paths are not decoded.", &["http.id.percent-encoded"]).request(|request, _| {
        // What is encoded once more is decoded to what was sent.
        if let Some(raw) = request.id_range().map(|id| request.path[id].to_owned())
            && raw.contains('%')
        {
            request.set_id(&raw);
        }
    }),
];

fn change_id(request: &mut Request, change: impl FnOnce(&str) -> String) {
    if let Some(id) = request.id() {
        let other = change(&id);
        if other != id && !other.is_empty() {
            request.set_id(&other);
        }
    }
}

/// The longest beginning of an id that is one itself.
fn cut(id: &str, memory: &Memory) -> String {
    let ends = id.char_indices().map(|(at, _)| at).skip(1).chain([id.len()]).collect::<Vec<_>>();
    let known = ends.iter().rev().map(|end| &id[..*end]).find(|begin| memory.world.owner_of(begin).is_some());
    known.unwrap_or(id).to_owned()
}

/// Takes note of every id that is shown.
fn learn(response: &mut Response, _: &Request, memory: &Memory) {
    let Some(mut body) = response.json().filter(|_| response.is_success()) else { return };
    edit_objects(&mut body, &mut |members| {
        let ids = members.iter().filter(|(name, _)| *name == "id" || name.ends_with("_id"));
        for id in ids.filter_map(|(_, value)| value.as_str()) {
            memory.get_or_put(&slot(id), Value::from(id));
        }
    });
}

fn slot(id: &str) -> String {
    format!("id: {}", id.to_lowercase())
}
