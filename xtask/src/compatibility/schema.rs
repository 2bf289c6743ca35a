//! A schema with all its `allOf` parts, and the comparison of two schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::document::Document;
use super::kind::Kind;
use super::part::Part;

/// Keywords that a schema may have beside a reference and still count as a mere reference.
const DECORATION: [&str; 7] = ["allOf", "description", "example", "nullable", "title", "type", "deprecated"];
/// Maximum nesting of `allOf`, so that cyclic documents end.
const DEPTH_MAX: usize = 16;

/// A schema: its own keywords, and those of every part of `allOf`.
#[derive(Debug)]
pub(super) struct Schema<'a> {
    /// The place of its keywords; for a schema that only refers to another one, the place of that one.
    pub(super) place: String,
    /// True if the value may be `null`, by the schema itself or by its target.
    pub(super) is_nullable: bool,
    layers: Vec<Part<'a>>,
}

impl<'a> Schema<'a> {
    /// The schema at a part of a document.
    pub(super) fn of(document: &'a Document, part: Part<'a>) -> Self {
        let mut layers = Vec::new();
        let own = document.resolve(part);
        collect(document, own.clone(), &mut layers, 0);
        let is_nullable = layers.iter().any(|layer| layer.is("nullable"));
        let names = own.value.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let is_plain = names.into_iter().all(|name| DECORATION.contains(&name) || is_provenance(name));
        let place = match layers.as_slice() {
            [_, target] if is_plain => target.place.clone(),
            _ => own.place,
        };
        Self { place, is_nullable, layers }
    }

    /// Returns a keyword; the schema's own keyword has priority over those of its parts.
    pub(super) fn keyword(&self, name: &str) -> Option<Part<'a>> {
        self.layers.iter().find_map(|layer| layer.member(name))
    }

    /// Returns the type of its values, if it has one.
    pub(super) fn kind_of_value(&self) -> Option<&'a str> {
        self.keyword("type").and_then(|part| part.value.as_str())
    }

    /// Returns the place of a keyword, present or not.
    pub(super) fn place_of(&self, name: &str) -> String {
        self.keyword(name).map_or_else(|| format!("{}/{name}", self.place), |part| part.place)
    }

    /// The members that objects have, by name.
    pub(super) fn properties(&self) -> BTreeMap<String, Part<'a>> {
        // A later part of `allOf` refines an earlier one, and the schema's own properties refine all of them.
        let layers = self.layers.iter().skip(1).chain(self.layers.first());
        let lists = layers.filter_map(|layer| layer.member("properties"));
        lists.flat_map(|list| list.members()).collect()
    }

    /// All texts of a keyword that is a list, such as `required`.
    pub(super) fn texts(&self, name: &str) -> BTreeSet<&'a str> {
        self.layers.iter().flat_map(|layer| layer.texts(name)).collect()
    }

    /// Returns true if a keyword is `true` in any layer.
    pub(super) fn is(&self, name: &str) -> bool {
        self.layers.iter().any(|layer| layer.is(name))
    }

    /// Its own part and the parts that it is put together from.
    pub(super) fn layers(&self) -> &[Part<'a>] {
        &self.layers
    }
}

/// Returns true if a keyword only gives the origin of a schema.
fn is_provenance(name: &str) -> bool {
    matches!(name, "x-provenance" | "x-source" | "x-follows" | "x-capability")
}

fn collect<'a>(document: &'a Document, part: Part<'a>, layers: &mut Vec<Part<'a>>, depth: usize) {
    let parts = part.member("allOf").map(|list| list.items()).unwrap_or_default();
    layers.push(part);
    if depth < DEPTH_MAX {
        for inner in parts {
            collect(document, document.resolve(inner), layers, depth + 1);
        }
    }
}

impl<'a> Comparison<'a> {
    /// Compares the schemas at two parts.
    pub(super) fn schemas(&mut self, old: Part<'a>, new: Part<'a>, direction: Direction) {
        let at = old.place.clone();
        let (old, new) = (Schema::of(self.old, old), Schema::of(self.new, new));
        self.nullability(&at, &old, &new, direction);
        if !self.compared.insert((old.place.clone(), new.place.clone(), direction)) {
            return;
        }
        if self.types(&old, &new, direction) {
            self.formats(&old, &new, direction);
            self.values(&old, &new, direction);
            self.bounds(&old, &new, direction);
            self.patterns(&old, &new, direction);
            self.object_members(&old, &new, direction);
            self.unions(&old, &new, direction);
            if let (Some(old), Some(new)) = (old.keyword("items"), new.keyword("items")) {
                self.schemas(old, new, direction);
            }
        }
        self.guarantees_of_a_schema(&old, &new);
    }

    fn nullability(&mut self, at: &str, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let place = format!("{at}/nullable");
        match (direction, old.is_nullable, new.is_nullable) {
            (Direction::Sent, true, false) => self.breaks(Kind::NullRefused, place, "`null` is no longer accepted"),
            (Direction::Received, false, true) => {
                self.breaks(Kind::NullAnswered, place, "the value may be `null` now");
            }
            (_, true, false) => self.allows(place, "the value is never `null`"),
            (_, false, true) => self.allows(place, "`null` may be sent"),
            _ => {}
        }
    }

    /// Compares the types; returns true if the values can be compared further.
    fn types(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) -> bool {
        let (before, now) = (old.kind_of_value(), new.kind_of_value());
        let is_wider = (before == Some("integer") && now == Some("number")) || (before.is_some() && now.is_none());
        let is_narrower = (before == Some("number") && now == Some("integer")) || (before.is_none() && now.is_some());
        let is_allowed = before == now
            || (direction == Direction::Sent && is_wider)
            || (direction == Direction::Received && is_narrower);
        if !is_allowed {
            let what = format!("the type {} became {}", before.unwrap_or("any"), now.unwrap_or("any"));
            self.breaks(Kind::TypeChanged, old.place_of("type"), what);
        } else if before != now {
            self.allows(old.place_of("type"), format!("the type is {} now", now.unwrap_or("any")));
        }
        before == now
    }

    fn formats(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let format = |schema: &Schema<'a>| schema.keyword("format").and_then(|part| part.value.as_str());
        let (before, now) = (format(old), format(new));
        if before == now {
            return;
        }
        let grows = (before, now) == (Some("int32"), Some("int64")) || now.is_none();
        let shrinks = (before, now) == (Some("int64"), Some("int32")) || before.is_none();
        let is_allowed = if direction == Direction::Sent { grows } else { shrinks };
        let what = format!("the format {} became {}", before.unwrap_or("none"), now.unwrap_or("none"));
        if is_allowed {
            self.allows(old.place_of("format"), what);
        } else {
            self.breaks(Kind::FormatChanged, old.place_of("format"), what);
        }
    }

    fn patterns(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let pattern = |schema: &Schema<'a>| schema.keyword("pattern").map(|part| part.value);
        let (before, now) = (pattern(old), pattern(new));
        let is_allowed = match direction {
            Direction::Sent => now.is_none(),
            Direction::Received => before.is_none(),
        };
        let shown = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), Value::to_string);
        let what = format!("the pattern {} became {}", shown(before), shown(now));
        if before == now {
        } else if is_allowed {
            self.allows(old.place_of("pattern"), what);
        } else {
            self.breaks(Kind::PatternChanged, old.place_of("pattern"), what);
        }
    }
}
