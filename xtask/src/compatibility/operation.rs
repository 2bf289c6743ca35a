//! One operation, or one hook: its parameters, its body, and its guarantees.

use std::collections::BTreeMap;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::part::Part;

/// The fields that decide how a parameter is serialised.
const STYLE: [&str; 3] = ["style", "explode", "allowReserved"];

/// Parameters by location and name.
type Parameters<'a> = BTreeMap<(String, String), Part<'a>>;

impl<'a> Comparison<'a> {
    /// An operation, each with the path that it belongs to.
    pub(super) fn operation(&mut self, old: (&Part<'a>, &Part<'a>), new: (&Part<'a>, &Part<'a>)) {
        let parameters = (parameters_of(self.old, &[old.0, old.1]), parameters_of(self.new, &[new.0, new.1]));
        let (old, new) = (old.1, new.1);
        if old.text("operationId") != new.text("operationId") {
            let what = format!("{:?} became {:?}", old.text("operationId"), new.text("operationId"));
            self.breaks(Kind::OperationRenamed, old.place_of("operationId"), what);
        }
        self.sent_parameters(parameters.0, parameters.1, new);
        self.sent_body(old, new);
        self.responses(old, new);
        self.guarantees_of_an_operation(old, new);
    }

    /// A hook: a request that clients receive, and responses that they send.
    pub(super) fn hook(&mut self, old: &Part<'a>, new: &Part<'a>) {
        let (old_parameters, mut new_parameters) = (parameters_of(self.old, &[old]), parameters_of(self.new, &[new]));
        for (key, old) in old_parameters {
            match new_parameters.remove(&key) {
                Some(new) => self.received_field(&old, &new, &key.1),
                None => self.breaks(Kind::HeaderRemoved, old.place, format!("the header {} is gone", key.1)),
            }
        }
        for ((_, name), new) in new_parameters {
            self.allows(new.place, format!("the header {name}"));
        }
        match (old.member("requestBody"), new.member("requestBody")) {
            (Some(old), Some(new)) => {
                let (old, new) = self.resolved(old, new);
                self.content(&old, &new, Direction::Received);
            }
            (Some(old), None) => self.breaks(Kind::BodyRemoved, old.place, "the event no longer has a body"),
            _ => {}
        }
        self.answers_to_hooks(old, new);
        self.invariants(old, new);
    }

    fn sent_parameters(&mut self, old: Parameters<'a>, mut new: Parameters<'a>, operation: &Part<'a>) {
        for (key, old) in old {
            let Some(new) = new.remove(&key) else {
                self.breaks(Kind::ParameterRemoved, old.place, format!("the {} parameter {} is gone", key.0, key.1));
                continue;
            };
            match (old.is("required"), new.is("required")) {
                (false, true) => {
                    self.breaks(
                        Kind::ParameterRequired,
                        old.place_of("required"),
                        format!("{} became required", key.1),
                    );
                }
                (true, false) => self.allows(old.place_of("required"), format!("{} became optional", key.1)),
                _ => {}
            }
            for name in STYLE {
                if old.value.get(name) != new.value.get(name) {
                    self.breaks(Kind::ParameterStyle, old.place_of(name), format!("`{name}` of {} has changed", key.1));
                }
            }
            if let (Some(old), Some(new)) = (old.member("schema"), new.member("schema")) {
                self.schemas(old, new, Direction::Sent);
            }
        }
        for ((place, name), new) in new {
            if new.is("required") {
                let what = format!("the new {place} parameter {name} is required");
                self.breaks(Kind::ParameterRequired, operation.place_of("parameters"), what);
            } else {
                self.allows(operation.place_of("parameters"), format!("the optional {place} parameter {name}"));
            }
        }
    }

    fn sent_body(&mut self, old: &Part<'a>, new: &Part<'a>) {
        match (old.member("requestBody"), new.member("requestBody")) {
            (Some(old), Some(new)) => {
                let (old, new) = self.resolved(old, new);
                if new.is("required") && !old.is("required") {
                    self.breaks(Kind::BodyRequired, old.place_of("required"), "the body became required");
                }
                self.content(&old, &new, Direction::Sent);
            }
            (Some(old), None) => self.breaks(Kind::BodyRemoved, old.place, "the body is gone"),
            (None, Some(new)) => {
                let new = self.new.resolve(new);
                if new.is("required") {
                    self.breaks(Kind::BodyRequired, new.place, "the new body is required");
                } else {
                    self.allows(new.place, "an optional body");
                }
            }
            (None, None) => {}
        }
    }
}

/// Returns the parameters of an operation: its own, and those of its path that it does not override.
fn parameters_of<'a>(document: &'a super::Document, holders: &[&Part<'a>]) -> Parameters<'a> {
    let mut parameters = Parameters::new();
    for list in holders.iter().filter_map(|holder| holder.member("parameters")) {
        for item in list.items() {
            let parameter = document.resolve(item);
            let [place, name] = ["in", "name"].map(|member| parameter.text(member).unwrap_or_default());
            // Header names are case-insensitive.
            let name = if place == "header" { name.to_ascii_lowercase() } else { name.to_owned() };
            parameters.insert((place.to_owned(), name), parameter);
        }
    }
    parameters
}
