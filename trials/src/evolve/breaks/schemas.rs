//! Breaks schemas. Most changes break in one direction only: they narrow the values that clients send, or widen those that they receive.

use serde_json::{Value, json};

use super::super::places::{self, remove, set};
use super::super::random::Random;
use super::responses::received_member;

/// The changed place, and a description for people.
type Done = Option<(String, String)>;

/// Lower bounds.
const LOWER: [&str; 3] = ["minLength", "minimum", "minItems"];
/// Upper bounds.
const UPPER: [&str; 4] = ["maxLength", "maximum", "maxItems", "maxProperties"];

/// Returns the members that clients send and that satisfy a predicate.
fn sent(document: &Value, fits: impl Fn(&Value) -> bool) -> Vec<String> {
    let schemas = places::objects(document, places::sent_schemas(document));
    places::members(document, &schemas, |_, member| fits(member))
}

/// Returns a member that clients receive and that satisfies a predicate.
fn received(document: &Value, random: &mut Random, fits: impl Fn(&Value) -> bool) -> Option<String> {
    received_member(document, random, |member| document.pointer(member).is_some_and(&fits))
}

pub(super) fn type_changed(document: &mut Value, random: &mut Random) -> Done {
    let has_type = |member: &Value| member.get("type").is_some() && member.get("allOf").is_none();
    let place = if random.happens(50) {
        random.one_of(&sent(document, has_type))?.clone()
    } else {
        received(document, random, has_type)?
    };
    let before = document.pointer(&place)?["type"].as_str()?.to_owned();
    let now = if before == "boolean" { "string" } else { "boolean" };
    set(document, &place, "type", json!(now))?;
    Some((place, format!("{before} became {now}")))
}

pub(super) fn format_changed(document: &mut Value, random: &mut Random) -> Done {
    let is_time = |member: &Value| member["format"] == json!("date-time");
    let is_number = |member: &Value| member["format"] == json!("int32");
    let (place, format) = match random.below(3) {
        0 => (random.one_of(&sent(document, is_time))?.clone(), json!("date")),
        1 => (received(document, random, is_time)?, json!("unix-time")),
        _ => (received(document, random, is_number)?, json!("int64")),
    };
    set(document, &place, "format", format.clone())?;
    Some((place, format!("the format {format}")))
}

/// Lets a member of a request be `null`: today none may be.
pub(super) fn prepare_null(document: &mut Value, random: &mut Random) -> Option<()> {
    let place = random.one_of(&sent(document, |member| member.get("allOf").is_none()))?.clone();
    set(document, &place, "nullable", json!(true))
}

pub(super) fn null_refused(document: &mut Value, random: &mut Random) -> Done {
    let nullable = sent(document, |member| member["nullable"] == json!(true));
    let place = random.one_of(&nullable)?.clone();
    set(document, &place, "nullable", json!(false))?;
    Some((place, "`null` is refused".to_owned()))
}

pub(super) fn null_answered(document: &mut Value, random: &mut Random) -> Done {
    let place = received(document, random, |member| member.get("type").is_some() && member.get("nullable").is_none())?;
    set(document, &place, "nullable", json!(true))?;
    Some((place, "may be `null`".to_owned()))
}

pub(super) fn bound_narrowed(document: &mut Value, random: &mut Random) -> Done {
    let bounded = |names: &'static [&str]| move |member: &Value| names.iter().any(|name| member.get(*name).is_some());
    let is_upper = random.happens(50);
    let (names, change): (&'static [&str], i64) = if is_upper { (&UPPER, -1) } else { (&LOWER, 1) };
    let place = random.one_of(&sent(document, bounded(names)))?.clone();
    if random.happens(30) {
        // A new bound.
        set(document, &place, "multipleOf", json!(7))?;
        return Some((place, "a new condition".to_owned()));
    }
    shift(document, place, names, change)
}

pub(super) fn bound_widened(document: &mut Value, random: &mut Random) -> Done {
    let bounded = |names: &'static [&str]| move |member: &Value| names.iter().any(|name| member.get(*name).is_some());
    let is_upper = random.happens(50);
    let (names, change): (&'static [&str], i64) = if is_upper { (&UPPER, 1) } else { (&LOWER, -1) };
    let place = received(document, random, bounded(names))?;
    if random.happens(30) {
        let name =
            *names.iter().find(|name| document.pointer(&place).is_some_and(|member| member.get(**name).is_some()))?;
        remove(document, &format!("{place}/{name}"))?;
        return Some((place, format!("`{name}` is gone")));
    }
    shift(document, place, names, change)
}

fn shift(document: &mut Value, place: String, names: &[&str], change: i64) -> Done {
    let member = document.pointer_mut(&place)?.as_object_mut()?;
    let name = names.iter().find(|name| member.contains_key(**name))?;
    let bound = member.get(*name)?.as_i64()? + change;
    member.insert((*name).to_owned(), json!(bound));
    Some((place, format!("`{name}` is {bound}")))
}

pub(super) fn pattern_changed(document: &mut Value, random: &mut Random) -> Done {
    let has_pattern = |member: &Value| member.get("pattern").is_some();
    let place = if random.happens(50) {
        random.one_of(&sent(document, has_pattern))?.clone()
    } else {
        received(document, random, has_pattern)?
    };
    set(document, &place, "pattern", json!("^[a-c]+$"))?;
    Some((place, "another pattern".to_owned()))
}

/// Removes a value of an open vocabulary of responses, or of a list's filter.
pub(super) fn value_removed(document: &mut Value, random: &mut Random) -> Done {
    let mut vocabularies = Vec::new();
    for name in places::names(document, "/components/schemas") {
        for keyword in ["enum", "x-extensible-enum"] {
            vocabularies.push(format!("/components/schemas/{name}/{keyword}"));
        }
    }
    vocabularies.retain(|place| document.pointer(place).is_some());
    let place = random.one_of(&vocabularies)?.clone();
    let values = document.pointer_mut(&place)?.as_array_mut()?;
    let value = values.remove(random.below(values.len()));
    Some((place, format!("{value} removed")))
}

pub(super) fn value_added(document: &mut Value, random: &mut Random) -> Done {
    let place = received(document, random, |member| member.get("enum").is_some())?;
    let value = random.word();
    document.pointer_mut(&place)?.get_mut("enum")?.as_array_mut()?.push(json!(value));
    Some((place, format!("{value} added")))
}

pub(super) fn values_restricted(document: &mut Value, random: &mut Random) -> Done {
    let is_text = |member: &Value| member["type"] == json!("string") && member.get("enum").is_none();
    let place = random.one_of(&sent(document, is_text))?.clone();
    set(document, &place, "enum", json!(["one", "two"]))?;
    Some((place, "only some values are taken".to_owned()))
}

pub(super) fn values_opened(document: &mut Value, random: &mut Random) -> Done {
    if random.happens(50) {
        let place = received(document, random, |member| member.get("enum").is_some())?;
        remove(document, &format!("{place}/enum"))?;
        return Some((place, "any value".to_owned()));
    }
    let mut open = places::received_schemas(document);
    open.retain(|schema| document.pointer(schema).is_some_and(|schema| schema.get("x-extensible-enum").is_some()));
    let place = random.one_of(&open)?.clone();
    remove(document, &format!("{place}/x-extensible-enum"))?;
    Some((place, "any value".to_owned()))
}

pub(super) fn default_changed(document: &mut Value, random: &mut Random) -> Done {
    let mut defaults = sent(document, |member| member.get("default").is_some());
    for operation in places::operations(document) {
        let schemas = places::parameters(document, &operation).into_iter().map(|place| format!("{place}/schema"));
        defaults.extend(
            schemas.filter(|schema| document.pointer(schema).is_some_and(|schema| schema.get("default").is_some())),
        );
    }
    let place = random.one_of(&defaults)?.clone();
    if random.happens(30) {
        remove(document, &format!("{place}/default"))?;
        return Some((place, "no default".to_owned()));
    }
    set(document, &place, "default", json!(99))?;
    Some((place, "another default".to_owned()))
}

pub(super) fn map_closed(document: &mut Value, random: &mut Random) -> Done {
    let schemas = places::objects(document, places::sent_schemas(document));
    let place = random.one_of(&schemas)?.clone();
    let is_map = document.pointer(&place)?["additionalProperties"].is_object();
    let closed = if is_map || random.happens(50) { json!(false) } else { json!({ "type": "string" }) };
    set(document, &place, "additionalProperties", closed)?;
    Some((place, "other members are refused".to_owned()))
}

pub(super) fn map_opened(document: &mut Value, random: &mut Random) -> Done {
    let mut maps = places::received_schemas(document);
    maps.retain(|schema| document.pointer(schema).is_some_and(|schema| schema["additionalProperties"].is_object()));
    let place = random.one_of(&maps)?.clone();
    if random.happens(50) {
        set(document, &place, "additionalProperties", json!(true))?;
    } else {
        remove(document, &format!("{place}/additionalProperties"))?;
    }
    Some((place, "values of any type".to_owned()))
}

const UNION: &str = "/components/schemas/HookEvent";

pub(super) fn variant_removed(document: &mut Value, random: &mut Random) -> Done {
    let variants = document.pointer_mut(UNION)?.get_mut("oneOf")?.as_array_mut()?;
    let removed = variants.remove(random.below(variants.len()));
    if let Some(mapping) =
        document.pointer_mut(&format!("{UNION}/discriminator/mapping")).and_then(Value::as_object_mut)
    {
        mapping.retain(|_, target| *target != removed["$ref"]);
    }
    Some((UNION.to_owned(), format!("{removed} removed")))
}

/// Gives a member of responses a union: today's only union is that of events, which may grow.
pub(super) fn prepare_union(document: &mut Value) -> Option<()> {
    let union = json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] });
    set(document, "/components/schemas/Job/properties", "rank", union)
}

pub(super) fn variant_added(document: &mut Value, random: &mut Random) -> Done {
    let place = received(document, random, |member| member.get("oneOf").is_some())?;
    document.pointer_mut(&place)?.get_mut("oneOf")?.as_array_mut()?.push(json!({ "type": "boolean" }));
    Some((place, "a variant added".to_owned()))
}

/// Sets another discriminator member, or maps the same values to other schemas.
pub(super) fn discriminator_changed(document: &mut Value, random: &mut Random) -> Done {
    let discriminator = document.pointer_mut(UNION)?.get_mut("discriminator")?;
    if random.happens(50) {
        discriminator["propertyName"] = json!("kind");
    } else {
        let mapping = discriminator["mapping"].as_object_mut()?;
        let names: Vec<String> = mapping.keys().cloned().collect();
        let (one, other) = (names.first()?.clone(), names.get(1)?.clone());
        let (first, second) = (mapping.get(&one)?.clone(), mapping.get(&other)?.clone());
        mapping.insert(one, second);
        mapping.insert(other, first);
    }
    Some((UNION.to_owned(), "another discriminator".to_owned()))
}
