//! Violates each constraint of a schema separately, with the pointer and the code of the expected error.
//!
//! `malformed` contains bodies that are not JSON.

use serde_json::{Value, json};

use super::alternatives::alternatives;
use super::value::{count, is_built, length_bounds, pattern_of, plain, required, type_of};

/// One way to break one constraint of an object's schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakage {
    /// A short name, such as `topic too_long`.
    pub name: String,
    /// Location of the fault, as a URI fragment such as `#/topic`.
    pub pointer: String,
    /// The expected field code.
    pub code: &'static str,
    /// The property that is replaced.
    pub property: String,
    /// Its value; `None` leaves it out.
    pub value: Option<Value>,
}

impl Breakage {
    /// Returns `body` with this one fault.
    pub fn apply(&self, body: &Value) -> Value {
        let mut broken = body.clone();
        if let Some(members) = broken.as_object_mut() {
            match &self.value {
                Some(value) => members.insert(self.property.clone(), value.clone()),
                None => members.remove(&self.property),
            };
        }
        broken
    }
}

/// Returns every breakage of an object's schema, in a fixed order.
pub fn breakages(components: &Value, schema: &Value) -> Vec<Breakage> {
    let mut all = Vec::new();
    for schema in alternatives(components, schema) {
        for name in required(&schema) {
            all.push(Breakage {
                name: format!("{name} left out"),
                pointer: format!("#/{name}"),
                code: "required",
                property: name.to_owned(),
                value: None,
            });
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            for fault in faults(components, property) {
                all.push(Breakage {
                    name: format!("{name}{} {}", fault.below, fault.what),
                    pointer: format!("#/{name}{}", fault.below),
                    code: fault.code,
                    property: name.clone(),
                    value: Some(fault.value),
                });
            }
        }
    }
    all
}

/// A broken value of one property.
struct Fault {
    value: Value,
    below: String,
    code: &'static str,
    what: String,
}

impl Fault {
    fn new(what: impl Into<String>, code: &'static str, value: Value) -> Self {
        Self { value, below: String::new(), code, what: what.into() }
    }

    /// Returns the same fault one level down, with its value `wrapped` into the level above.
    fn below(mut self, step: &str, wrapped: impl FnOnce(Value) -> Value) -> Self {
        self.below = format!("/{step}{}", self.below);
        self.value = wrapped(self.value);
        self
    }
}

/// Returns faults that violate every alternative of a schema. With several alternatives, only a type of no alternative is sure to do so.
fn faults(components: &Value, schema: &Value) -> Vec<Fault> {
    let choices = alternatives(components, schema);
    let types: Vec<&str> = choices.iter().map(type_of).collect();
    let mut faults = wrong_types(&types, &choices);
    let [schema] = choices.as_slice() else {
        return faults;
    };
    if schema.get("enum").is_some() {
        faults.push(Fault::new("outside its enum", "invalid_format", json!("no-such-word")));
        return faults;
    }
    match type_of(schema) {
        "string" => faults.extend(texts(schema)),
        "integer" => faults.extend(numbers(schema)),
        "array" => faults.extend(items(components, schema)),
        "object" => faults.extend(members(components, schema)),
        _ => {}
    }
    faults
}

fn wrong_types(types: &[&str], choices: &[Value]) -> Vec<Fault> {
    let is_one = |kind: &str| types.contains(&kind);
    let within = choices.iter().find_map(|schema| schema["minimum"].as_f64()).unwrap_or(300.0);
    let candidates: [(&str, &'static str, Value); 7] = [
        ("null", "null", Value::Null),
        ("string", "as a text", json!("1")),
        ("integer", "as a number", json!(7)),
        ("number", "as a fraction", json!(within + 0.5)),
        ("boolean", "as true", json!(true)),
        ("array", "as a list", json!(["a"])),
        ("object", "as an object", json!({ "a": "b" })),
    ];
    let mut faults: Vec<Fault> = candidates
        .into_iter()
        .filter(|(name, ..)| !(is_one(name) || (*name == "integer" && is_one("number"))))
        .map(|(_, what, value)| Fault::new(what, "invalid_format", value))
        .collect();
    if is_one("integer") && !is_one("number") {
        faults.push(Fault::new("with a fraction of zero", "invalid_format", json!(within)));
    }
    faults
}

fn texts(schema: &Value) -> Vec<Fault> {
    if schema["format"] == "date-time" {
        return times(schema);
    }
    if is_built(schema) {
        return against_pattern(schema);
    }
    let (minimum, maximum) = length_bounds(schema);
    let mut faults = Vec::new();
    let is_trimmed = schema.get("x-trimmed-length").is_some();
    if minimum > 0 {
        faults.push(Fault::new("too short", "too_short", json!("a".repeat(minimum - 1))));
        if is_trimmed {
            faults.push(Fault::new("only white space", "too_short", json!(" \u{3000}\t\n\u{a0}")));
        }
    }
    if let Some(maximum) = maximum {
        faults.push(Fault::new("one letter too long", "too_long", json!("a".repeat(maximum + 1))));
        faults.push(Fault::new("one emoji too long", "too_long", json!("\u{1f600}".repeat(maximum + 1))));
        if !is_trimmed {
            faults.push(Fault::new("one space too long", "too_long", json!("a".repeat(maximum) + " ")));
        }
    }
    if let Some(pattern) = pattern_of(schema) {
        let (_, refused) = pattern.border_letters();
        for letter in refused.iter().copied().chain(['\u{7}', '\r', '\u{1b}', '\u{85}']) {
            let text = format!("a{letter}b");
            let what = format!("with U+{:04X}", u32::from(letter));
            if !pattern.is_kept_by(&text) && faults.iter().all(|fault| fault.what != what) {
                faults.push(Fault::new(what, "invalid_format", json!(text)));
            }
        }
    }
    faults
}

fn times(schema: &Value) -> Vec<Fault> {
    let wrong = ["yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00"];
    let wrong = wrong.map(|text| Fault::new(format!("as {text}"), "invalid_format", json!(text)));
    let far = || Fault::new("over a year ahead", "out_of_range", json!("2199-01-01T00:00:00Z"));
    wrong.into_iter().chain(schema.get("x-max-ahead").map(|_| far())).collect()
}

/// Returns texts that violate the pattern.
fn against_pattern(schema: &Value) -> Vec<Fault> {
    let Some(pattern) = pattern_of(schema) else {
        return Vec::new();
    };
    let odd = (!pattern.is_kept_by("_ ?!")).then(|| "_ ?!".to_owned());
    let texts = odd.into_iter().chain(pattern.beyond().iter().cloned());
    texts.map(|text| Fault::new(format!("as {text}"), "invalid_format", json!(text))).collect()
}

fn numbers(schema: &Value) -> Vec<Fault> {
    let below = schema["minimum"].as_i64().map(|bound| bound - 1);
    let above = schema["maximum"].as_i64().map(|bound| bound + 1);
    let far = above.map(|_| i64::MAX);
    [("below its minimum", below), ("above its maximum", above), ("far out of range", far)]
        .into_iter()
        .filter_map(|(what, value)| Some(Fault::new(what, "out_of_range", json!(value?))))
        .collect()
}

fn items(components: &Value, schema: &Value) -> Vec<Fault> {
    let good = plain(components, &schema["items"]);
    let mut faults: Vec<Fault> = faults(components, &schema["items"])
        .into_iter()
        .map(|fault| fault.below("1", |value| json!([good, value])))
        .collect();
    if let Some(maximum) = count(schema, "maxItems") {
        let crowd: Vec<Value> = vec![good.clone(); maximum + 1];
        faults.push(Fault::new("one item too many", "too_many", Value::Array(crowd)));
    }
    faults
}

fn members(components: &Value, schema: &Value) -> Vec<Fault> {
    let least = plain(components, schema);
    let mut faults = Vec::new();
    for name in required(schema) {
        let mut without = least.clone();
        without.as_object_mut().map(|members| members.remove(name));
        faults.push(Fault::new("left out", "required", Value::Null).below(name, |_| without));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        for fault in self::faults(components, property) {
            let mut whole = least.clone();
            faults.push(fault.below(name, |value| {
                whole[name] = value;
                whole
            }));
        }
    }
    let further = &schema["additionalProperties"];
    if !further.is_object() {
        return faults;
    }
    let good = plain(components, further);
    let further_faults = self::faults(components, further).into_iter();
    faults.extend(further_faults.map(|fault| fault.below("reference", |value| json!({ "reference": value }))));
    if let Some(maximum) = count(&schema["x-key-length"], "max") {
        let name = "k".repeat(maximum + 1);
        let fault = Fault::new("with a name too long", "too_long", good.clone());
        faults.push(fault.below(&name.clone(), |value| json!({ name: value })));
    }
    if let Some(maximum) = count(schema, "maxProperties") {
        let crowd = (0..=maximum).map(|number| (format!("key{number}"), good.clone()));
        faults.push(Fault::new("one member too many", "too_many", Value::Object(crowd.collect())));
    }
    faults
}
