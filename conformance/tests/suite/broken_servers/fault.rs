//! The type of a fault, and short ways to write one.

use super::proxy::Passing;
use serde_json::Value;

/// A fault: the requirement that must detect it, and its effect on requests and responses.
pub(crate) struct Fault {
    pub(crate) caught_by: &'static str,
    pub(crate) request: fn(&mut Passing, &Keys),
    pub(crate) answer: fn(&mut Passing),
}

/// Keys that a fault may confuse.
#[derive(Clone)]
pub(crate) struct Keys {
    pub(crate) main: String,
    pub(crate) other: String,
}

pub(crate) fn in_answers(caught_by: &'static str, answer: fn(&mut Passing)) -> Fault {
    Fault { caught_by, request: |_, _| {}, answer }
}

pub(crate) fn in_requests(caught_by: &'static str, request: fn(&mut Passing, &Keys)) -> Fault {
    Fault { caught_by, request, answer: |_| {} }
}

impl Passing {
    /// Rewrites the JSON of responses whose path contains `part`.
    pub(crate) fn edit_at(&mut self, part: &str, edit: impl FnOnce(&mut Value)) {
        if self.path.contains(part) {
            self.edit(edit);
        }
    }

    /// Rewrites every row of a page.
    pub(crate) fn edit_rows(&mut self, part: &str, edit: impl Fn(&mut Value)) {
        self.edit_at(part, |body| {
            if let Some(items) = body["items"].as_array_mut() {
                items.iter_mut().for_each(edit);
            }
        });
    }

    /// Removes a query parameter from a request.
    pub(crate) fn without_parameter(&mut self, name: &str) {
        let Some((path, query)) = self.path.split_once('?') else {
            return;
        };
        let kept: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with(&format!("{name}="))).collect();
        self.path = format!("{path}?{}", kept.join("&"));
    }

    /// Returns a header of the request or response as text.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
