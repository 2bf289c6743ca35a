//! Bounds of values: lengths, numbers, counts, times.

use serde_json::Value;

use super::comparison::{Comparison, Direction};
use super::kind::Kind;
use super::schema::Schema;

/// The side on which a bound limits values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// Keywords that are a number, and their side.
const NUMBERS: [(&str, Side); 8] = [
    ("minLength", Side::Lower),
    ("maxLength", Side::Upper),
    ("minimum", Side::Lower),
    ("maximum", Side::Upper),
    ("minItems", Side::Lower),
    ("maxItems", Side::Upper),
    ("minProperties", Side::Lower),
    ("maxProperties", Side::Upper),
];
/// Keywords with a lower and an upper number in them.
const RANGES: [&str; 2] = ["x-trimmed-length", "x-key-length"];
/// Keywords that are `true` or absent, or any value that can be compared for equality only.
const CONDITIONS: [&str; 4] = ["uniqueItems", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"];
/// The latest moment that may be named, as a duration from now.
const AHEAD: &str = "x-max-ahead";

impl<'a> Comparison<'a> {
    /// Every bound that one of the schemas has.
    pub(super) fn bounds(&mut self, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        for (name, side) in NUMBERS {
            let number = |schema: &Schema<'a>| schema.keyword(name).and_then(|part| part.value.as_f64());
            self.bound((name, side), old.place_of(name), (number(old), number(new)), direction);
        }
        for name in RANGES {
            for (end, side) in [("min", Side::Lower), ("max", Side::Upper)] {
                let number = |schema: &Schema<'a>| schema.keyword(name)?.value.get(end)?.as_f64();
                let place = format!("{}/{end}", old.place_of(name));
                self.bound((name, side), place, (number(old), number(new)), direction);
            }
        }
        let days = |schema: &Schema<'a>| days(schema.keyword(AHEAD)?.value.as_str()?);
        self.bound((AHEAD, Side::Upper), old.place_of(AHEAD), (days(old), days(new)), direction);
        for name in CONDITIONS {
            self.condition(name, old, new, direction);
        }
    }

    fn bound(
        &mut self,
        (name, side): (&str, Side),
        place: String,
        (before, now): (Option<f64>, Option<f64>),
        direction: Direction,
    ) {
        let narrows = match (before, now) {
            (before, now) if before == now => return,
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(before), Some(now)) => (side == Side::Upper) == (now < before),
        };
        let shown = |bound: Option<f64>| bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
        let what = format!("`{name}` {} became {}", shown(before), shown(now));
        match (direction, narrows) {
            (Direction::Sent, true) => self.breaks(Kind::BoundNarrowed, place, what),
            (Direction::Received, false) => self.breaks(Kind::BoundWidened, place, what),
            _ => self.allows(place, what),
        }
    }

    fn condition(&mut self, name: &str, old: &Schema<'a>, new: &Schema<'a>, direction: Direction) {
        let value = |schema: &Schema<'a>| {
            schema.keyword(name).map(|part| part.value).filter(|value| **value != Value::Bool(false))
        };
        let (before, now) = (value(old), value(new));
        let what = format!("`{name}` has changed");
        match direction {
            _ if before == now => {}
            Direction::Sent if now.is_some() => self.breaks(Kind::BoundNarrowed, old.place_of(name), what),
            Direction::Received if before.is_some() => self.breaks(Kind::BoundWidened, old.place_of(name), what),
            _ => self.allows(old.place_of(name), what),
        }
    }
}

/// Returns the length in days of an ISO 8601 duration of one unit, such as `P1Y`. A year is longer than twelve months of 30 days; this does
/// not affect comparisons of two bounds.
fn days(duration: &str) -> Option<f64> {
    let body = duration.strip_prefix('P')?;
    let unit = body.chars().last()?;
    let count: f64 = body.strip_suffix(unit)?.parse().ok()?;
    let days = match unit {
        'Y' => 365.0,
        'M' => 30.0,
        'W' => 7.0,
        'D' => 1.0,
        _ => return None,
    };
    Some(count * days)
}
