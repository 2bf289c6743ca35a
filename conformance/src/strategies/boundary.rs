//! Values at the edges of a schema: each property, at any depth, at its smallest and its largest.
//!
//! `breakage` contains the values beyond an edge.

use proptest::prelude::*;
use proptest::strategy::SBoxedStrategy;
use serde_json::{Map, Value, json};

use super::alternatives::alternatives;
use super::text::exactly;
use super::value::{ADDRESS, count, is_built, length_bounds, pattern_of, plain, required, type_of};

/// Returns strategies for objects that are `base` with one property at an edge, in a fixed order. `base` itself comes first.
///
/// Properties in `skip` keep the value of `base`.
pub fn boundaries(components: &Value, schema: &Value, base: &Value, skip: &[&str]) -> Vec<SBoxedStrategy<Value>> {
    let with = |name: String, values: SBoxedStrategy<Value>| {
        let base = base.clone();
        values
            .prop_map(move |value| {
                let mut case = base.clone();
                case[&name] = value;
                case
            })
            .sboxed()
    };
    let properties =
        edges_of_properties(components, schema).into_iter().filter(|(name, _)| !skip.contains(&name.as_str()));
    let first = Just(base.clone()).sboxed();
    std::iter::once(first).chain(properties.map(|(name, values)| with(name, values))).collect()
}

/// Returns the edge values of each property of an object, in a fixed order.
pub fn edges_of_properties(components: &Value, schema: &Value) -> Vec<(String, SBoxedStrategy<Value>)> {
    let mut all = Vec::new();
    for schema in alternatives(components, schema) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            all.extend(edges(components, property).into_iter().map(|values| (name.clone(), values)));
        }
    }
    all
}

/// Returns the edges of any schema; none without a bound.
fn edges(components: &Value, schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    alternatives(components, schema).iter().flat_map(|schema| plain_edges(components, schema)).collect()
}

fn plain_edges(components: &Value, schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    // Words of an open vocabulary must be covered, too.
    let words = ["enum", "x-extensible-enum"].iter().find_map(|keyword| schema[*keyword].as_array());
    if let Some(words) = words {
        return words.iter().cloned().map(always).collect();
    }
    match type_of(schema) {
        "boolean" => vec![always(json!(false)), always(json!(true))],
        "integer" | "number" => ["minimum", "maximum", "default"]
            .iter()
            .filter_map(|bound| schema.get(*bound))
            .cloned()
            .map(always)
            .collect(),
        "null" => vec![always(Value::Null)],
        "string" => match schema["format"].as_str() {
            Some("uri" | "uri-reference") => addresses(schema),
            Some(_) => Vec::new(),
            None => texts(schema),
        },
        "array" => items(components, schema),
        _ => members(components, schema),
    }
}

fn always(value: Value) -> SBoxedStrategy<Value> {
    Just(value).sboxed()
}

/// Returns the shortest and longest texts, code points of one and of four bytes, padding to trim, and letters next to forbidden ones.
fn texts(schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    let (minimum, maximum) = length_bounds(schema);
    if let Some(pattern) = pattern_of(schema).filter(|_| is_built(schema)) {
        let is_within = move |text: &String| {
            let length = text.chars().count();
            length >= minimum && maximum.is_none_or(|maximum| length <= maximum)
        };
        let ends = pattern.ends().into_iter();
        let ends = ends.map(|texts| texts.prop_filter("a text of a length that is taken", is_within).sboxed());
        let plain = [Some(minimum.max(1)), maximum].into_iter().flatten().map(|length| "a".repeat(length));
        let plain = plain.filter(|text| pattern.is_kept_by(text)).map(|text| Just(text).sboxed());
        return ends.chain(plain).map(|texts| texts.prop_map(Value::from).sboxed()).collect();
    }
    let is_short = ["minLength", "x-trimmed-length"].iter().any(|keyword| schema.get(*keyword).is_some());
    let lengths = is_short.then_some(minimum.max(1)).into_iter().chain(maximum);
    let mut all: Vec<SBoxedStrategy<Value>> = Vec::new();
    for length in lengths {
        all.extend(
            ['a'..='z', '\u{1f600}'..='\u{1f64f}']
                .map(|letters| exactly(letters, length, minimum).prop_map(Value::from).sboxed()),
        );
    }
    if schema.get("x-trimmed-length").is_some() {
        let maximum = maximum.unwrap_or(minimum);
        let padded = exactly('a'..='z', maximum, minimum).prop_map(|text| json!(format!("\u{3000}{text}\u{a0}\t")));
        // Two code points that form one character.
        let combined = always(json!("e\u{301}".repeat(maximum / 2)));
        all.extend([padded.sboxed(), combined]);
    }
    if let Some(pattern) = pattern_of(schema) {
        let (taken, _) = pattern.border_letters();
        let text: String = taken.iter().flat_map(|letter| ['b', *letter]).chain(['b']).collect();
        all.push(always(json!(text)));
    }
    all
}

/// Returns the longest address that is accepted.
fn addresses(schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    let length = count(schema, "maxLength");
    let longest =
        length.and_then(|length| Some(format!("{ADDRESS}{}", "p".repeat(length.checked_sub(ADDRESS.len())?))));
    longest.into_iter().map(|address| always(json!(address))).collect()
}

fn items(components: &Value, schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    let least = count(schema, "minItems").unwrap_or(0);
    let item = plain(components, &schema["items"]);
    let list = |first: Value, length: usize| {
        let rest = (1..length).map(|_| item.clone());
        let items: Vec<Value> = std::iter::once(first).chain(rest).take(length.max(1)).collect();
        Value::Array(items)
    };
    let sized = |length: usize| if length == 0 { json!([]) } else { list(item.clone(), length) };
    let each = edges(components, &schema["items"]).into_iter().map(|values| {
        let list = (list(Value::Null, least), values);
        list_with_first(list)
    });
    let lengths = std::iter::once(least).chain(count(schema, "maxItems"));
    lengths.map(|length| always(sized(length))).chain(each).collect()
}

/// Returns lists like the given one with an edge value as the first item.
fn list_with_first((list, values): (Value, SBoxedStrategy<Value>)) -> SBoxedStrategy<Value> {
    values
        .prop_map(move |value| {
            let mut list = list.clone();
            list[0] = value;
            list
        })
        .sboxed()
}

/// Returns the edges of an object: those of each field, the fewest and the most fields, the shortest and the longest name.
fn members(components: &Value, schema: &Value) -> Vec<SBoxedStrategy<Value>> {
    let least = plain(components, schema);
    let mut all: Vec<SBoxedStrategy<Value>> = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        for values in edges(components, property) {
            let (least, name) = (least.clone(), name.clone());
            all.push(
                values
                    .prop_map(move |value| {
                        let mut whole = least.clone();
                        whole[&name] = value;
                        whole
                    })
                    .sboxed(),
            );
        }
    }
    let further = &schema["additionalProperties"];
    if !further.is_object() {
        return if all.is_empty() { vec![always(least)] } else { all };
    }
    let value = plain(components, further);
    let named = |name: &str| [(name.to_owned(), value.clone())].into_iter().collect::<Map<_, _>>();
    let crowd =
        |length: usize| (0..length).map(|number| (format!("key{number}"), value.clone())).collect::<Map<_, _>>();
    let lengths = [Some(count(schema, "minProperties").unwrap_or(0)), count(schema, "maxProperties")];
    all.extend(lengths.into_iter().flatten().map(|length| always(Value::Object(crowd(length)))));
    let names = ["min", "max"].iter().filter_map(|bound| count(&schema["x-key-length"], bound));
    all.extend(names.map(|length| always(Value::Object(named(&"k".repeat(length.max(1)))))));
    let each = edges(components, further).into_iter();
    all.extend(each.map(|values| values.prop_map(|value| json!({ "k": value })).sboxed()));
    all
}

/// Returns the bounds of the lead form: `{place, length, as}` for every text and map, with the maximum, one beyond it, and one below the
/// minimum. Returns `{place, number, as}` likewise for every number. `as` is `taken` or `refused`, `place` a JSON
/// pointer; that of a map's values ends in `/*`. `steps::forms` builds forms from it.
pub(super) fn form_bounds(components: &Value, schema: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    add_bounds(components, schema, "", &mut all);
    all
}

fn add_bounds(components: &Value, schema: &Value, place: &str, all: &mut Vec<Value>) {
    for schema in alternatives(components, schema) {
        let (least, most) = match type_of(&schema) {
            "integer" => {
                add_numbers(&schema, place, all);
                continue;
            }
            "string" => ("minLength", "maxLength"),
            "object" => ("minProperties", "maxProperties"),
            _ => continue,
        };
        let mut add = |length: usize, what: &str| all.push(json!({ "place": place, "length": length, "as": what }));
        if let Some(least) = count(&schema, least).filter(|least| *least > 0) {
            add(least - 1, "refused");
            add(least, "taken");
        }
        if let Some(most) = count(&schema, most) {
            add(most, "taken");
            add(most + 1, "refused");
        }
        for name in required(&schema) {
            all.push(json!({ "place": place, "without": name, "as": "refused" }));
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            add_bounds(components, property, &format!("{place}/{name}"), all);
        }
        if schema["additionalProperties"].is_object() {
            add_bounds(components, &schema["additionalProperties"], &format!("{place}/*"), all);
        }
    }
}

/// Adds the smallest and the largest number, and their neighbours.
fn add_numbers(schema: &Value, place: &str, all: &mut Vec<Value>) {
    for (name, step) in [("minimum", -1), ("maximum", 1)] {
        let Some(bound) = schema[name].as_i64() else { continue };
        all.push(json!({ "place": place, "number": bound, "as": "taken" }));
        all.push(json!({ "place": place, "number": bound + step, "as": "refused" }));
    }
}
