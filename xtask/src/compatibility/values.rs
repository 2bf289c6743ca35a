//! Vocabularies, closed and open, and defaults.

use std::collections::BTreeSet;

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::schema::Schema;

/// A vocabulary that is complete.
const CLOSED: &str = "enum";
/// A vocabulary that may grow.
const OPEN: &str = "x-extensible-enum";

impl<'a> Comparison<'a> {
    /// Compares the allowed values and the default.
    pub(super) fn values(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        for name in [CLOSED, OPEN] {
            match (values_of(old, name), values_of(new, name)) {
                (Some(before), Some(now)) => self.vocabulary((name, old), &before, &now, direction),
                (Some(_), None) => self.vocabulary_is_gone((name, old), direction),
                (None, Some(_)) => self.vocabulary_is_new((name, old), direction),
                (None, None) => {}
            }
        }
        if direction == Direction::Sent {
            self.default_value(old, new);
        }
    }

    fn vocabulary(
        &mut self,
        (name, schema): (&str, &Schema<'a>),
        before: &BTreeSet<String>,
        now: &BTreeSet<String>,
        direction: Direction,
    ) {
        let place = schema.place_of(name);
        for value in before.difference(now) {
            self.breaks(Kind::ValueRemoved, place.clone(), format!("the value {value} is gone"));
        }
        for value in now.difference(before) {
            if direction == Direction::Received && name == CLOSED {
                self.breaks(Kind::ValueAdded, place.clone(), format!("the value {value} is new"));
            } else {
                self.allows(place.clone(), format!("the value {value}"));
            }
        }
    }

    fn vocabulary_is_gone(&mut self, (name, schema): (&str, &Schema<'a>), direction: Direction) {
        let place = schema.place_of(name);
        if direction == Direction::Received {
            self.breaks(Kind::ValuesOpened, place, format!("`{name}` is gone"));
        } else {
            self.allows(place, "any value may be sent");
        }
    }

    fn vocabulary_is_new(&mut self, (name, schema): (&str, &Schema<'a>), direction: Direction) {
        let place = schema.place_of(name);
        if direction == Direction::Sent {
            self.breaks(Kind::ValuesRestricted, place, format!("`{name}` is new"));
        } else {
            self.allows(place, "the values are listed");
        }
    }

    fn default_value(&mut self, old: &Schema<'a>, new: &Schema<'a>) {
        let Some(before) = old.keyword("default") else { return };
        let now = new.keyword("default").map(|part| part.value);
        if now != Some(before.value) {
            let now = now.map_or_else(|| "none".to_owned(), Value::to_string);
            self.breaks(Kind::DefaultChanged, before.place, format!("the default {} became {now}", before.value));
        }
    }
}

/// The values of a vocabulary, as JSON.
fn values_of(schema: &Schema<'_>, name: &str) -> Option<BTreeSet<String>> {
    let list = schema.keyword(name)?.value.as_array()?;
    Some(list.iter().map(Value::to_string).collect())
}
