//! A part of a document with its place.

use std::collections::BTreeMap;

use serde_json::Value;

/// A value in a document.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    /// The value, which may be a reference.
    pub(super) value: &'a Value,
    /// Its JSON pointer, as a URI fragment.
    pub(super) place: String,
}

impl<'a> Part<'a> {
    /// Returns the place of a member, present or not.
    pub(super) fn place_of(&self, name: &str) -> String {
        format!("{}/{}", self.place, name.replace('~', "~0").replace('/', "~1"))
    }

    /// A member, if it is there.
    pub(super) fn member(&self, name: &str) -> Option<Self> {
        Some(Self { value: self.value.get(name)?, place: self.place_of(name) })
    }

    /// All members by name.
    pub(super) fn members(&self) -> BTreeMap<String, Self> {
        let members = self.value.as_object().into_iter().flatten();
        members.map(|(name, value)| (name.clone(), Self { value, place: self.place_of(name) })).collect()
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Vec<Self> {
        let items = self.value.as_array().into_iter().flatten().enumerate();
        items.map(|(index, value)| Self { value, place: self.place_of(&index.to_string()) }).collect()
    }

    /// A text member.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value.get(name)?.as_str()
    }

    /// Returns true if a member is `true`.
    pub(super) fn is(&self, name: &str) -> bool {
        self.value.get(name) == Some(&Value::Bool(true))
    }

    /// The texts of a list that is a member.
    pub(super) fn texts(&self, name: &str) -> Vec<&'a str> {
        self.value.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }
}
