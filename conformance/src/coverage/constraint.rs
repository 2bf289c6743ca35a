//! Evaluates one keyword for a value: at the keyword's edge, or one beyond it.
//!
//! `spec` decides whether a whole value is valid.

use std::fmt;

use chrono::{DateTime, Months, TimeDelta, Utc};
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

/// Distance within which a time counts as at the edge: the clocks of the target and of the suite may differ.
const NEAR: TimeDelta = TimeDelta::days(2);

/// One keyword of a schema.
pub(super) enum Constraint {
    /// A measure of the value has this bound.
    Bound { measure: Measure, bound: i64, is_upper: bool },
    /// One of these values.
    OneOf(Vec<Value>),
    /// A type, a pattern or a format: a value either matches it or not.
    Kept(Box<Validator>, Applies),
    /// The object has this field.
    Member(String),
    /// The time is at most so many months ahead.
    MonthsAhead(u32),
}

/// Side of a keyword that a value is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The last allowed value, or any value if there is no order.
    Edge,
    /// The first forbidden value.
    Beyond,
}

/// The values that a keyword applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Applies {
    ToTexts,
    ToAll,
}

/// The measured property of a value; `None` for a value of another type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Number,
    Length,
    TrimmedLength,
    NameLengths,
    Items,
    Members,
}

impl fmt::Debug for Constraint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Constraint").finish_non_exhaustive()
    }
}

impl Measure {
    fn of(self, value: &Value) -> Vec<i64> {
        let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let length = |text: &str| whole(text.chars().count());
        match self {
            Self::Number => value.as_i64().into_iter().collect(),
            Self::Length => value.as_str().map(length).into_iter().collect(),
            Self::TrimmedLength => value.as_str().map(|text| length(text.trim())).into_iter().collect(),
            Self::NameLengths => value.as_object().into_iter().flatten().map(|(name, _)| length(name)).collect(),
            Self::Items => value.as_array().map(|items| whole(items.len())).into_iter().collect(),
            Self::Members => value.as_object().map(|members| whole(members.len())).into_iter().collect(),
        }
    }
}

impl Constraint {
    /// Returns the side of `value`. Returns `None` if it is farther away, or if the keyword does not apply to it.
    pub(super) fn side(&self, value: &Value) -> Option<Side> {
        let kept = |is_kept: bool| Some(if is_kept { Side::Edge } else { Side::Beyond });
        match self {
            Self::Bound { measure, bound, is_upper } => {
                let beyond = if *is_upper { bound.checked_add(1)? } else { bound.checked_sub(1)? };
                let measured = measure.of(value);
                // Among several names, one that is too long decides.
                match (measured.contains(&beyond), measured.contains(bound)) {
                    (true, _) => Some(Side::Beyond),
                    (_, true) => Some(Side::Edge),
                    _ => None,
                }
            }
            Self::OneOf(values) => kept(values.contains(value)),
            Self::Kept(_, Applies::ToTexts) if !value.is_string() => None,
            Self::Kept(validator, _) => kept(validator.is_valid(value)),
            Self::Member(name) => value.as_object().and_then(|members| kept(members.contains_key(name))),
            Self::MonthsAhead(months) => {
                let moment = DateTime::parse_from_rfc3339(value.as_str()?).ok()?.with_timezone(&Utc);
                let bound = now().checked_add_months(Months::new(*months))?;
                let from_bound = moment.signed_duration_since(bound);
                (from_bound.abs() <= NEAR).then_some(if from_bound <= TimeDelta::zero() {
                    Side::Edge
                } else {
                    Side::Beyond
                })
            }
        }
    }

    /// Returns the number of different edge values that cover the edge.
    pub(super) fn edge_values(&self) -> usize {
        match self {
            Self::OneOf(values) => values.len(),
            _ => 1,
        }
    }
}

fn now() -> DateTime<Utc> {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    DateTime::from_timestamp(i64::try_from(since.as_secs()).unwrap_or(i64::MAX), 0).unwrap_or_default()
}

/// Returns the keywords of `schema` that bound values, each with its name.
pub(super) fn constraints(schema: &Map<String, Value>) -> Vec<(String, Constraint)> {
    let mut found = Vec::new();
    for (keyword, value) in schema {
        let bound = |measure, is_upper| {
            let bound = value.as_i64()?;
            // A length below 0 is impossible.
            let can_be_broken = is_upper || bound > 0 || measure == Measure::Number;
            can_be_broken.then_some((keyword.clone(), Constraint::Bound { measure, bound, is_upper }))
        };
        let kept = |applies| {
            let is_kept = validator(&json!({ keyword: value }))?;
            Some((keyword.clone(), Constraint::Kept(Box::new(is_kept), applies)))
        };
        match keyword.as_str() {
            "type" => found.extend(kept(Applies::ToAll)),
            "pattern" => found.extend(kept(Applies::ToTexts)),
            "format" if is_text(schema) => found.extend(kept(Applies::ToTexts)),
            "minimum" => found.extend(bound(Measure::Number, false)),
            "maximum" => found.extend(bound(Measure::Number, true)),
            "minLength" => found.extend(bound(Measure::Length, false)),
            "maxLength" => found.extend(bound(Measure::Length, true)),
            "minItems" => found.extend(bound(Measure::Items, false)),
            "maxItems" => found.extend(bound(Measure::Items, true)),
            "minProperties" => found.extend(bound(Measure::Members, false)),
            "maxProperties" => found.extend(bound(Measure::Members, true)),
            "x-trimmed-length" => found.extend(lengths(keyword, value, Measure::TrimmedLength)),
            "x-key-length" => found.extend(lengths(keyword, value, Measure::NameLengths)),
            "x-max-ahead" => {
                found.extend(years(value).map(|years| (keyword.clone(), Constraint::MonthsAhead(12 * years))));
            }
            "enum" => {
                let values = value.as_array().into_iter().flatten().filter(|value| !value.is_null());
                found.push((keyword.clone(), Constraint::OneOf(values.cloned().collect())));
            }
            "required" => {
                let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                found.extend(names.map(|name| (format!("required {name}"), Constraint::Member(name.to_owned()))));
            }
            _ => {}
        }
    }
    found
}

fn lengths(keyword: &str, bounds: &Value, measure: Measure) -> Vec<(String, Constraint)> {
    let sides = [("min", false), ("max", true)].into_iter();
    sides
        .filter_map(|(side, is_upper)| {
            let bound = bounds[side].as_i64().filter(|bound| is_upper || *bound > 0)?;
            Some((format!("{keyword} {side}"), Constraint::Bound { measure, bound, is_upper }))
        })
        .collect()
}

/// Returns the years of a duration such as `P1Y`.
fn years(duration: &Value) -> Option<u32> {
    duration.as_str()?.strip_prefix('P')?.strip_suffix('Y')?.parse().ok()
}

fn is_text(schema: &Map<String, Value>) -> bool {
    let kind = schema.get("type");
    kind.is_some_and(|kind| kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string"))))
}

/// Returns a validator for one keyword, or `None` if the keyword has an unknown value.
fn validator(schema: &Value) -> Option<Validator> {
    jsonschema::options().with_draft(Draft::Draft4).should_validate_formats(true).build(schema).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Side::{self, Beyond, Edge};
    use super::constraints;

    fn sides(schema: &Value, keyword: &str, values: &[Value]) -> Vec<Option<Side>> {
        let all = constraints(schema.as_object().expect("a schema"));
        let (_, constraint) = all.iter().find(|(name, _)| name == keyword).expect("the keyword is there");
        values.iter().map(|value| constraint.side(value)).collect()
    }

    #[test]
    fn a_bound_is_met_at_its_edge_and_one_beyond_it_and_nowhere_else() {
        let text = json!({ "type": "string", "minLength": 2, "maxLength": 3 });
        let texts =
            [json!("a"), json!("ab"), json!("\u{1f600}\u{1f600}\u{1f600}"), json!("abcd"), json!("abcde"), json!(3)];
        assert_eq!(sides(&text, "minLength", &texts), [Some(Beyond), Some(Edge), None, None, None, None]);
        assert_eq!(sides(&text, "maxLength", &texts), [None, None, Some(Edge), Some(Beyond), None, None]);
        let number = json!({ "minimum": 0, "maximum": 9 });
        assert_eq!(sides(&number, "minimum", &[json!(0), json!(-1), json!(1)]), [Some(Edge), Some(Beyond), None]);
        assert_eq!(
            sides(&number, "maximum", &[json!(9), json!(10), json!(i64::MAX)]),
            [Some(Edge), Some(Beyond), None]
        );
        let names = json!({ "x-key-length": { "min": 1, "max": 2 } });
        assert_eq!(
            sides(&names, "x-key-length max", &[json!({ "ab": 1 }), json!({ "ab": 1, "abc": 1 })]),
            [Some(Edge), Some(Beyond)]
        );
    }

    #[test]
    fn a_keyword_without_an_order_is_kept_or_not() {
        let text = json!({ "type": "string", "pattern": "^[a-z]+$", "format": "date-time", "enum": ["a", "b"] });
        assert_eq!(sides(&text, "pattern", &[json!("a"), json!("A"), json!(1)]), [Some(Edge), Some(Beyond), None]);
        assert_eq!(sides(&text, "type", &[json!("a"), json!(1)]), [Some(Edge), Some(Beyond)]);
        assert_eq!(sides(&text, "format", &[json!("2026-01-01T00:00:00Z"), json!("2026")]), [Some(Edge), Some(Beyond)]);
        assert_eq!(sides(&text, "enum", &[json!("b"), json!("c")]), [Some(Edge), Some(Beyond)]);
        let object = json!({ "required": ["a"] });
        assert_eq!(
            sides(&object, "required a", &[json!({ "a": 1 }), json!({}), json!([])]),
            [Some(Edge), Some(Beyond), None]
        );
    }
}
