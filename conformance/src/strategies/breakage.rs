//! Each constraint of a schema negated alone, with the pointer and the code that must name it.
//!
//! Bodies that are no JSON at all are in `malformed`.

use serde_json::{Value, json};

use super::value::{length_bounds, resolve, type_of};

/// One way to break one constraint of an object's schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakage {
    /// A short name, such as `topic too_long`.
    pub name: String,
    /// Where the fault lies, as a URI fragment such as `#/topic`.
    pub pointer: String,
    /// The field code that names it.
    pub code: &'static str,
    /// The property that is replaced.
    pub property: String,
    /// Its value; `None` leaves it out.
    pub value: Option<Value>,
}

impl Breakage {
    /// `body` with this one fault.
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

/// Every breakage of `schema`, in a fixed order.
pub fn breakages(components: &Value, schema: &Value) -> Vec<Breakage> {
    let schema = resolve(components, schema);
    let mut all = Vec::new();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
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
    all
}

/// A broken value of one property.
struct Fault {
    value: Value,
    below: String,
    code: &'static str,
    what: &'static str,
}

impl Fault {
    fn new(what: &'static str, code: &'static str, value: Value) -> Self {
        Self { value, below: String::new(), code, what }
    }

    /// The same fault one level down, `wrapped` into the value of the level above.
    fn below(mut self, step: &str, wrapped: impl FnOnce(Value) -> Value) -> Self {
        self.below = format!("/{step}{}", self.below);
        self.value = wrapped(self.value);
        self
    }
}

fn faults(components: &Value, schema: &Value) -> Vec<Fault> {
    let schema = resolve(components, schema);
    let mut faults = wrong_types(type_of(schema));
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

fn wrong_types(kind: &str) -> Vec<Fault> {
    let candidates: [(&str, &'static str, Value); 7] = [
        ("null", "null", Value::Null),
        ("string", "as a text", json!("1")),
        ("integer", "as a number", json!(7)),
        ("number", "as a fraction", json!(300.5)),
        ("boolean", "as true", json!(true)),
        ("array", "as a list", json!(["a"])),
        ("object", "as an object", json!({ "a": "b" })),
    ];
    let mut faults: Vec<Fault> = candidates
        .into_iter()
        .filter(|(name, ..)| *name != kind)
        .map(|(_, what, value)| Fault::new(what, "invalid_format", value))
        .collect();
    if kind == "integer" {
        faults.push(Fault::new("as 300.0", "invalid_format", json!(300.0)));
    }
    faults
}

fn texts(schema: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    if schema["format"] == "date-time" {
        for wrong in ["yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00"] {
            faults.push(Fault::new("not a date-time", "invalid_format", json!(wrong)));
        }
        faults.push(Fault::new("over a year ahead", "out_of_range", json!("2199-01-01T00:00:00Z")));
        return faults;
    }
    let (minimum, maximum) = length_bounds(schema);
    let trimmed = schema.get("x-trimmed-length").is_some();
    if schema.get("pattern").is_some() && !trimmed {
        faults.push(Fault::new("against its pattern", "invalid_format", json!("_ ?!")));
        return faults;
    }
    if minimum > 0 {
        faults.push(Fault::new("too short", "too_short", json!("")));
        if trimmed {
            faults.push(Fault::new("only white space", "too_short", json!(" \u{3000}\t\n\u{a0}")));
        }
    }
    if bounded(schema) {
        faults.push(Fault::new("one letter too long", "too_long", json!("a".repeat(maximum + 1))));
        faults.push(Fault::new("one emoji too long", "too_long", json!("\u{1f600}".repeat(maximum + 1))));
    }
    if trimmed {
        for control in ["a\u{0}b", "a\u{7}b", "a\rb", "a\u{85}b", "a\u{1b}[31mb"] {
            faults.push(Fault::new("with a control character", "invalid_format", json!(control)));
        }
    }
    faults
}

fn bounded(schema: &Value) -> bool {
    schema.get("maxLength").is_some() || schema["x-trimmed-length"].get("max").is_some()
}

fn numbers(schema: &Value) -> Vec<Fault> {
    let below = schema["minimum"].as_i64().map(|bound| bound - 1);
    let above = schema["maximum"].as_i64().map(|bound| bound + 1);
    [("below its minimum", below), ("above its maximum", above)]
        .into_iter()
        .filter_map(|(what, value)| Some(Fault::new(what, "out_of_range", json!(value?))))
        .chain([Fault::new("far out of range", "out_of_range", json!(i64::MAX))])
        .collect()
}

fn items(components: &Value, schema: &Value) -> Vec<Fault> {
    let mut faults: Vec<Fault> = faults_of_item(components, &schema["items"]);
    if let Some(maximum) = schema["maxItems"].as_u64() {
        let crowd: Vec<Value> = (0..=maximum).map(|number| json!(format!("k{number}"))).collect();
        faults.push(Fault::new("one item too many", "too_many", Value::Array(crowd)));
    }
    faults
}

fn faults_of_item(components: &Value, item: &Value) -> Vec<Fault> {
    faults(components, item).into_iter().map(|fault| fault.below("1", |value| json!(["good", value]))).collect()
}

fn members(components: &Value, schema: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    if schema["additionalProperties"].is_object() {
        faults.extend(
            self::faults(components, &schema["additionalProperties"])
                .into_iter()
                .map(|fault| fault.below("reference", |value| json!({ "reference": value }))),
        );
    }
    if let Some(maximum) = schema["x-key-length"]["max"].as_u64() {
        let name = "k".repeat(usize::try_from(maximum).unwrap_or(usize::MAX) + 1);
        let fault = Fault::new("with a name too long", "too_long", json!("v"));
        faults.push(fault.below(&name.clone(), |value| json!({ name: value })));
    }
    if let Some(maximum) = schema["maxProperties"].as_u64() {
        let crowd = (0..=maximum).map(|number| (format!("key{number}"), json!("v")));
        faults.push(Fault::new("one member too many", "too_many", Value::Object(crowd.collect())));
    }
    faults
}
