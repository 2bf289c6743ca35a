//! Compares the sets of operations and hooks.

use super::comparison::Comparison;
use super::kind::Kind;
use super::part::Part;

/// The methods that a path can have operations for.
const METHODS: [&str; 8] = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];
/// The hooks by event type, in the document.
const HOOKS: &str = "/x-webhooks";

impl<'a> Comparison<'a> {
    /// The operations of all paths below a pointer.
    pub(super) fn paths(&mut self, pointer: &str) {
        let (old, new) = self.both(pointer);
        let is_path = |name: &String| name.starts_with('/');
        let mut new_paths = new.members();
        for (path, old) in old.members().into_iter().filter(|(name, _)| is_path(name)) {
            match new_paths.remove(&path) {
                Some(new) => self.methods(&path, &old, &new),
                None => self.breaks(Kind::OperationRemoved, old.place, format!("the path {path} is gone")),
            }
        }
        for (path, new) in new_paths.into_iter().filter(|(name, _)| is_path(name)) {
            self.allows(new.place, format!("the path {path}"));
        }
    }

    fn methods(&mut self, path: &str, old: &Part<'a>, new: &Part<'a>) {
        for method in METHODS {
            match (old.member(method), new.member(method)) {
                (Some(one), Some(other)) => self.operation((old, &one), (new, &other)),
                (Some(one), None) => {
                    self.breaks(Kind::OperationRemoved, one.place, format!("{} {path} is gone", method.to_uppercase()));
                }
                (None, Some(other)) => self.allows(other.place, format!("{} {path}", method.to_uppercase())),
                (None, None) => {}
            }
        }
    }

    /// The hooks, which the service sends and clients receive.
    pub(super) fn hooks(&mut self) {
        let (old, new) = self.both(HOOKS);
        let mut new_hooks = new.members();
        let mut kept = Vec::new();
        for (event, old) in old.members() {
            match new_hooks.remove(&event) {
                Some(new) => kept.push((old, new)),
                None => self.breaks(Kind::HookRemoved, old.place, format!("the event type {event} is gone")),
            }
        }
        for (event, new) in new_hooks {
            self.allows(new.place, format!("the event type {event}"));
        }
        // Collect the unions of events before comparing any of them.
        for (old, _) in &kept {
            self.note_event(old);
        }
        for (old, new) in kept {
            if let (Some(old), Some(new)) = (old.member("post"), new.member("post")) {
                self.hook(&old, &new);
            }
        }
    }

    fn note_event(&mut self, hook: &Part<'a>) {
        let body = hook.member("post").and_then(|post| post.member("requestBody"));
        let content = body.and_then(|body| self.old.resolve(body).member("content"));
        for media in content.iter().flat_map(Part::members) {
            if let Some(schema) = media.1.member("schema") {
                self.events.insert(self.old.resolve(schema).place);
            }
        }
    }
}
