//! Unions (`oneOf`, `anyOf`), and their discriminators.

use std::collections::BTreeMap;

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::part::Part;
use super::schema::Schema;

impl<'a> Comparison<'a> {
    /// The variants of a union.
    pub(super) fn unions(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        for name in ["oneOf", "anyOf"] {
            match (old.keyword(name), new.keyword(name)) {
                (Some(before), Some(now)) => {
                    self.discriminator(old, new);
                    self.variants(old, (variants(old, &before), variants(new, &now)), direction);
                }
                (Some(before), None) => {
                    self.breaks(Kind::TypeChanged, before.place, format!("`{name}` is gone"));
                }
                (None, Some(now)) => self.breaks(Kind::TypeChanged, now.place, format!("`{name}` is new")),
                (None, None) => {}
            }
        }
    }

    fn variants(
        &mut self,
        union: &Schema<'a>,
        (old, mut new): (BTreeMap<String, Part<'a>>, BTreeMap<String, Part<'a>>),
        direction: Direction,
    ) {
        for (name, old) in old {
            match new.remove(&name) {
                Some(new) => self.schemas(old, new, direction),
                None => self.breaks(Kind::VariantRemoved, old.place, format!("the variant {name} is gone")),
            }
        }
        // By its policy the service may send new event types, and receivers keep unknown ones.
        let may_grow = direction == Direction::Sent || self.events.contains(&union.place);
        for (name, new) in new {
            if may_grow {
                self.allows(new.place, format!("the variant {name}"));
            } else {
                self.breaks(Kind::VariantAdded, new.place, format!("the variant {name} is new"));
            }
        }
    }

    fn discriminator(&mut self, old: &Schema<'a>, new: &Schema<'a>) {
        let Some(before) = old.keyword("discriminator") else { return };
        let now = new.keyword("discriminator");
        let name = |part: &Part<'a>| part.text("propertyName");
        if now.as_ref().and_then(name) != name(&before) {
            self.breaks(Kind::DiscriminatorChanged, before.place.clone(), "another field distinguishes the variants");
        }
        let mapping = |part: &Part<'a>| part.member("mapping").map(|part| part.members()).unwrap_or_default();
        let now = now.as_ref().map(mapping).unwrap_or_default();
        for (value, target) in mapping(&before) {
            if now.get(&value).is_some_and(|other| other.value != target.value) {
                self.breaks(Kind::DiscriminatorChanged, target.place, format!("{value} means another schema"));
            }
        }
    }
}

/// Returns the variants by name: the value of the discriminator, else the schema that they refer to, else their JSON text.
fn variants<'a>(schema: &Schema<'a>, list: &Part<'a>) -> BTreeMap<String, Part<'a>> {
    let mapping = schema.keyword("discriminator").and_then(|part| part.member("mapping"));
    let mapping = mapping.map(|part| part.members()).unwrap_or_default();
    let named = list.items().into_iter().map(|variant| {
        let reference = variant.text("$ref");
        let tag = mapping.iter().find(|(_, target)| target.value.as_str() == reference);
        let name = tag.map(|(tag, _)| tag.clone()).or_else(|| reference.map(str::to_owned));
        (name.unwrap_or_else(|| Value::to_string(variant.value)), variant)
    });
    named.collect()
}
