//! The judge, on a small document that has one of everything, and on the real one.

mod allowed;
mod breaking;
mod real;

use serde_json::Value;

use super::{Document, Report, compare};

/// A document with one of everything that can be broken.
const SMALL: &str = include_str!("small.yaml");

/// A change: at a pointer to an object, sets or removes a member.
type Edit = (&'static str, &'static str, Option<&'static str>);

fn small() -> Value {
    serde_saphyr::from_str(SMALL).expect("the small document is YAML")
}

/// Makes changes, whose values are JSON.
fn edited(mut document: Value, edits: &[Edit]) -> Value {
    for (pointer, name, value) in edits {
        let holder = document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is in the document"));
        let value = value.map(|text| serde_json::from_str::<Value>(text).expect("the value is JSON"));
        match (holder, value) {
            (Value::Object(members), Some(value)) => drop(members.insert((*name).to_owned(), value)),
            (Value::Object(members), None) => {
                assert!(members.remove(*name).is_some(), "{pointer} has {name}");
            }
            (Value::Array(items), Some(value)) => items.push(value),
            (Value::Array(items), None) => drop(items.remove(name.parse().expect("an index"))),
            _ => panic!("{pointer} holds nothing"),
        }
    }
    document
}

/// Returns the judge's report on some changes of the small document.
fn judged(edits: &[Edit]) -> Report {
    let document = |root| Document::new(root).expect("the document can be compared");
    compare(&document(small()), &document(edited(small(), edits)))
}
