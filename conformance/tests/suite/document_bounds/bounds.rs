//! Every bound of the document, and the document with one of them changed.

use serde_json::{Value, json};

/// Fields of the document without bounds: examples, and text for people.
const NO_BOUNDS: [&str; 9] =
    ["x-field-errors", "example", "examples", "description", "summary", "info", "servers", "tags", "securitySchemes"];
const LEAST: [&str; 4] = ["minimum", "minLength", "minItems", "minProperties"];
const MOST: [&str; 4] = ["maximum", "maxLength", "maxItems", "maxProperties"];

/// One bound: its place, and other values for it. At least one of the values must make a difference.
#[derive(Debug)]
pub(super) struct Bound {
    pub(super) pointer: String,
    edits: Vec<Edit>,
}

/// New value. `None` removes the old one.
#[derive(Debug)]
struct Edit(Option<Value>);

impl Bound {
    /// Returns the document with this bound changed, in every way.
    pub(super) fn edited<'bound>(&'bound self, document: &'bound Value) -> impl Iterator<Item = Value> + 'bound {
        self.edits.iter().map(|edit| {
            let mut edited = document.clone();
            match &edit.0 {
                Some(value) => *edited.pointer_mut(&self.pointer).unwrap() = value.clone(),
                None => remove(&mut edited, &self.pointer),
            }
            edited
        })
    }
}

fn remove(document: &mut Value, pointer: &str) {
    let (holder, name) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(holder).unwrap() {
        Value::Object(members) => drop(members.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(name.parse().unwrap())),
        other => panic!("{pointer} is in {other}"),
    }
}

/// Returns all bounds of `document`, in its order.
pub(super) fn all(document: &Value) -> Vec<Bound> {
    let mut found = Vec::new();
    walk(document, "", &mut found);
    found
}

fn walk(value: &Value, at: &str, found: &mut Vec<Bound>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let place = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                let is_named_by_document = at.ends_with("/properties") || at.ends_with("/schemas");
                if is_named_by_document {
                    walk(member, &place, found);
                } else if !NO_BOUNDS.contains(&name.as_str()) {
                    found.extend(bounds(name, member, &place));
                    walk(member, &place, found);
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| walk(item, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

/// Returns the bounds that the field `name` sets.
fn bounds(name: &str, value: &Value, place: &str) -> Vec<Bound> {
    let one = |edits: Vec<Value>| {
        let edits = edits.into_iter().map(|value| Edit(Some(value))).collect();
        vec![Bound { pointer: place.to_owned(), edits }]
    };
    let is_response = place.starts_with("/paths/") && place.contains("/responses/");
    let number = value.as_i64();
    match (name, number) {
        (_, Some(number)) if LEAST.contains(&name) || name == "min" => one(vec![json!(number + 1), json!(number + 2)]),
        (_, Some(number)) if MOST.contains(&name) || name == "max" => one(vec![json!(number - 1), json!(number + 1)]),
        ("default" | "window_seconds", Some(number)) => one(vec![json!(number + 1)]),
        ("status", Some(number)) if place.starts_with("/x-problem-codes/") => one(vec![json!(number + 1)]),
        ("title" | "type", None) if place.starts_with("/x-problem-codes/") => one(vec![json!("changed")]),
        ("x-max-ahead", None) => one(vec![json!("P2Y")]),
        ("x-required-scope" | "x-rate-limit-policy", None) => one(vec![json!("changed")]),
        ("pattern", None) => one(patterns(value.as_str().unwrap())),
        ("required", None) if value == true && !place.starts_with("/components/parameters/") && is_header(place) => {
            one(vec![json!(false)])
        }
        ("enum" | "x-extensible-enum" | "required" | "x-codes", None) => each(value, place),
        (status, None) if is_response && status.parse::<u16>().is_ok() => {
            vec![Bound { pointer: place.to_owned(), edits: vec![Edit(None)] }]
        }
        _ => Vec::new(),
    }
}

fn is_header(place: &str) -> bool {
    place.starts_with("/components/headers/")
}

/// Removes each entry of a list. A single entry is replaced instead.
fn each(list: &Value, place: &str) -> Vec<Bound> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let edit = || if entries.len() == 1 { Edit(Some(json!("changed"))) } else { Edit(None) };
    let bound = |index| Bound { pointer: format!("{place}/{index}"), edits: vec![edit()] };
    (0..entries.len()).map(bound).collect()
}

/// Changes one number or letter of the pattern by its character code. A pattern without any is replaced.
fn patterns(pattern: &str) -> Vec<Value> {
    let counts = regex::Regex::new(r"\{(\d+),(\d+)\}|\\u([0-9A-F]{4})").unwrap();
    let mut edits = Vec::new();
    for found in counts.captures_iter(pattern) {
        let whole = found.get(0).unwrap();
        let changed = match (found.get(1), found.get(2), found.get(3)) {
            (Some(least), Some(most), None) => {
                format!("{{{},{}}}", least.as_str(), most.as_str().parse::<u32>().unwrap() - 1)
            }
            (None, None, Some(code)) => format!("\\u{:04X}", u32::from_str_radix(code.as_str(), 16).unwrap() + 1),
            _ => continue,
        };
        edits.push(json!(format!("{}{changed}{}", &pattern[..whole.start()], &pattern[whole.end()..])));
    }
    if edits.is_empty() { vec![json!("^changed$")] } else { edits }
}
