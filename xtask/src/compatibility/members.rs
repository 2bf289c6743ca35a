//! The members of objects.

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::part::Part;
use super::schema::Schema;

/// Values that an object may have beside its named members.
enum Others<'a> {
    /// Anything.
    Any,
    /// Values of one schema.
    Of(Part<'a>),
    /// Nothing.
    None,
}

impl<'a> Comparison<'a> {
    /// Named members, whether they are required, and members of other names.
    pub(super) fn object_members(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let (removed, required) = match direction {
            Direction::Sent => (Kind::RequestMemberRemoved, Kind::RequestMemberRequired),
            Direction::Received => (Kind::AnswerMemberRemoved, Kind::AnswerMemberOptional),
        };
        let mut new_members = new.properties();
        let (before, now) = (old.texts("required"), new.texts("required"));
        for (name, member) in old.properties() {
            let place = member.place.clone();
            let Some(other) = new_members.remove(&name) else {
                self.breaks(removed, place, format!("the field {name} is gone"));
                continue;
            };
            self.schemas(member, other, direction);
            match (direction, before.contains(name.as_str()), now.contains(name.as_str())) {
                (_, one, other) if one == other => {}
                (Direction::Sent, false, _) => self.breaks(required, place, format!("{name} became required")),
                (Direction::Received, true, _) => self.breaks(required, place, format!("{name} may be absent")),
                (Direction::Sent, true, _) => self.allows(place, format!("{name} became optional")),
                (Direction::Received, false, _) => self.allows(place, format!("{name} is always present")),
            }
        }
        for (name, member) in new_members {
            if direction == Direction::Sent && now.contains(name.as_str()) {
                self.breaks(required, member.place, format!("the new field {name} is required"));
            } else {
                self.allows(member.place, format!("the field {name}"));
            }
        }
        self.other_members(old, new, direction);
    }

    fn other_members(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let place = old.place_of("additionalProperties");
        match (direction, others(old), others(new)) {
            (_, Others::Of(old), Others::Of(new)) => self.schemas(old, new, direction),
            (Direction::Sent, Others::Any, Others::Of(_) | Others::None) => {
                self.breaks(Kind::MapClosed, place, "fields of other names are no longer accepted as before");
            }
            (Direction::Sent, Others::Of(_), Others::None) => {
                self.breaks(Kind::MapClosed, place, "fields of any name are no longer accepted");
            }
            (Direction::Received, Others::Of(_), Others::Any) => {
                self.breaks(Kind::MapOpened, place, "the values of the map may be anything");
            }
            (Direction::Received, Others::None, Others::Any | Others::Of(_)) => {
                self.breaks(Kind::MapOpened, place, "fields of other names may be present");
            }
            _ => {}
        }
    }
}

fn others<'a>(schema: &Schema<'a>) -> Others<'a> {
    match schema.keyword("additionalProperties") {
        None => Others::Any,
        Some(part) if *part.value == Value::Bool(true) => Others::Any,
        Some(part) if *part.value == Value::Bool(false) => Others::None,
        Some(part) => Others::Of(part),
    }
}
