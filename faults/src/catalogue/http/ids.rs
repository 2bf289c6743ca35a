//! Faults in reading ids in paths, typical of databases and languages.

use serde_json::Value;

use super::super::fault::{Fault, fault};
use crate::memory::Memory;
use crate::message::{Request, Response, edit_objects};

pub(super) const FAULTS: &[Fault] = &[
    fault("http.id-trimmed", "The server trims spaces around an id.", &["ids.near.not-found"])
        .request(|request, _| change_id(request, |id| id.trim().to_owned())),
    fault("http.id-to-nul", "The server ends an id at its first NUL.", &["ids.near.not-found"])
        .request(|request, _| change_id(request, |id| id.split('\0').next().unwrap_or_default().to_owned())),
    fault("http.id-cut", "The server ignores extra characters at the end of an id.", &["ids.near.not-found"])
        .request(|request, memory| change_id(request, |id| cut(id, memory))),
    fault("http.id-without-case", "The server compares ids without regard to case.", &["ids.case.distinct"])
        .request(|request, memory| change_id(request, |id| memory.text(&slot(id)).unwrap_or_else(|| id.to_owned())))
        .response(learn),
    fault("http.id-encoded", "The server does not decode ids in paths.", &["http.id.percent-encoded"]).request(
        |request, _| {
            // Encodes the id once more, so that the server decodes it to the original.
            if let Some(raw) = request.id_range().map(|id| request.path[id].to_owned())
                && raw.contains('%')
            {
                request.set_id(&raw);
            }
        },
    ),
];

fn change_id(request: &mut Request, change: impl FnOnce(&str) -> String) {
    if let Some(id) = request.id() {
        let other = change(&id);
        if other != id && !other.is_empty() {
            request.set_id(&other);
        }
    }
}

/// Returns the longest prefix of an id that is a known id.
fn cut(id: &str, memory: &Memory) -> String {
    let ends = id.char_indices().map(|(at, _)| at).skip(1).chain([id.len()]).collect::<Vec<_>>();
    let known = ends.iter().rev().map(|end| &id[..*end]).find(|begin| memory.world.owner_of(begin).is_some());
    known.unwrap_or(id).to_owned()
}

/// Records every id in a response.
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
