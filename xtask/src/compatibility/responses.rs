//! Compares the data that clients receive: statuses, headers, media types. For the schemas of bodies see `schema`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::part::Part;

/// The response that describes every error without a separate response.
const DEFAULT: &str = "default";

impl<'a> Comparison<'a> {
    /// The responses of an operation.
    pub(super) fn responses(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let responses = |holder: &Part<'a>| holder.member("responses").map(|part| part.members()).unwrap_or_default();
        let (old_responses, mut new_responses) = (responses(old), responses(new));
        let default = old_responses.get(DEFAULT).cloned();
        for (status, old) in old_responses {
            match new_responses.remove(&status) {
                Some(new) => self.response(old, new),
                None => self.breaks(Kind::StatusRemoved, old.place, format!("the status {status} is gone")),
            }
        }
        for (status, new) in new_responses {
            match default.clone().filter(|_| is_error(&status)) {
                // Clients read it like any other error.
                Some(default) => {
                    let (default, response) = self.resolved(default, new.clone());
                    self.headers(&default, &response);
                    self.content(&default, &response, Direction::Received);
                    self.allows(new.place, format!("the error status {status}"));
                }
                None => self.breaks(Kind::StatusAdded, new.place, format!("the status {status} is new")),
            }
        }
    }

    /// Compares the responses that receivers of a hook may send.
    pub(super) fn answers_to_hooks(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let (Some(old), new) = (old.member("responses"), new.member("responses")) else { return };
        let new = new.map(|part| part.members()).unwrap_or_default();
        for (status, old) in old.members() {
            if !new.contains_key(&status) {
                let what = format!("the effect of a receiver's response {status} is gone");
                self.breaks(Kind::StatusRemoved, old.place, what);
            }
        }
    }

    fn response(&mut self, old: Part<'a>, new: Part<'a>) {
        let (old, new) = self.resolved(old, new);
        if !self.compared.insert((old.place.clone(), new.place.clone(), Direction::Received)) {
            return;
        }
        self.headers(&old, &new);
        self.content(&old, &new, Direction::Received);
        self.codes_of_a_response(&old, &new);
        self.core_status(&old, &new);
    }

    fn headers(&mut self, old: &Part<'a>, new: &Part<'a>) {
        // Header names are case-insensitive.
        let headers = |holder: &Part<'a>| -> BTreeMap<String, Part<'a>> {
            let headers = holder.member("headers").map(|part| part.members()).unwrap_or_default();
            headers.into_iter().map(|(name, header)| (name.to_ascii_lowercase(), header)).collect()
        };
        let mut new_headers = headers(new);
        for (name, old) in headers(old) {
            match new_headers.remove(&name) {
                Some(new) => {
                    let (old, new) = self.resolved(old, new);
                    self.received_field(&old, &new, &name);
                }
                None => self.breaks(Kind::HeaderRemoved, old.place, format!("the header {name} is gone")),
            }
        }
        for (name, new) in new_headers {
            self.allows(new.place, format!("the header {name}"));
        }
    }

    /// A header that clients receive.
    pub(super) fn received_field(&mut self, old: &Part<'a>, new: &Part<'a>, name: &str) {
        if old.is("required") && !new.is("required") {
            self.breaks(Kind::HeaderOptional, old.place_of("required"), format!("{name} may be absent"));
        }
        if let (Some(old), Some(new)) = (old.member("schema"), new.member("schema")) {
            self.schemas(old, new, Direction::Received);
        }
    }

    /// The media types of a body.
    pub(super) fn content(&mut self, old: &Part<'a>, new: &Part<'a>, direction: Direction) {
        let types = |holder: &Part<'a>| holder.member("content").map(|part| part.members()).unwrap_or_default();
        let mut new_types = types(new);
        for (media, old) in types(old) {
            let Some(new) = new_types.remove(&media) else {
                self.breaks(Kind::MediaTypeRemoved, old.place, format!("the media type {media} is gone"));
                continue;
            };
            match (old.member("schema"), new.member("schema")) {
                (Some(old), Some(new)) => self.schemas(old, new, direction),
                (Some(old), None) if direction == Direction::Received => {
                    self.breaks(Kind::TypeChanged, old.place, "the body is no longer described");
                }
                (None, Some(new)) if direction == Direction::Sent => {
                    self.breaks(Kind::TypeChanged, new.place, "any body could be sent; now it has a schema");
                }
                _ => {}
            }
        }
        for (media, new) in new_types {
            match direction {
                Direction::Sent => self.allows(new.place, format!("the media type {media}")),
                Direction::Received => {
                    self.breaks(Kind::MediaTypeAdded, new.place, format!("the media type {media} is new"));
                }
            }
        }
    }

    fn core_status(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let status = |part: &Part<'a>| part.value.get("x-core-status").and_then(Value::as_str).map(str::to_owned);
        if let Some(other) = status(new).filter(|other| status(old).as_ref() != Some(other)) {
            let what = format!("servers that follow only the service description may respond {other}");
            self.breaks(Kind::CorePromiseWeakened, old.place_of("x-core-status"), what);
        }
    }
}

/// Returns true if a status, or a range of them, is only for errors.
fn is_error(status: &str) -> bool {
    status.len() == 3 && status.starts_with(['4', '5'])
}
