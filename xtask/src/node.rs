//! The document as a tree that keeps its written order.

use std::fmt;

use anyhow::{Context as _, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

/// A value of the document.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as JSON writes it.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the document.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Reads a document.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not YAML.
    pub fn parse(text: &str) -> Result<Self> {
        serde_saphyr::from_str(text).context("the document is not valid YAML")
    }

    /// Merges each component that is an `allOf` of several objects into one object, so that readers see all its properties.
    #[must_use]
    pub fn composed(mut self) -> Self {
        let written = self.clone();
        let Some(schemas) = self.get_mut("components").and_then(|components| components.get_mut("schemas")) else {
            return self;
        };
        let Self::Map(schemas) = schemas else { return self };
        for (_, schema) in schemas {
            let parts: Vec<_> = schema.items_of("allOf").iter().map(|part| written.resolve(part)).collect();
            if parts.len() < 2 {
                continue;
            }
            let mut properties: Vec<(String, Self)> = Vec::new();
            for (name, property) in parts.iter().flat_map(|part| part.members_of("properties")) {
                properties.retain(|(other, _)| other != name);
                properties.push((name.clone(), property.clone()));
            }
            let listed = |name| parts.iter().flat_map(|part| part.items_of(name)).cloned().collect();
            let (required, mut invariants): (Vec<_>, Vec<_>) = (listed("required"), listed("x-conformance"));
            invariants.extend_from_slice(schema.items_of("x-conformance"));
            let Self::Map(members) = schema else { continue };
            members.retain(|(name, _)| !["allOf", "type", "x-conformance"].contains(&name.as_str()));
            members.insert(0, ("type".to_owned(), Self::Text("object".to_owned())));
            members.push(("properties".to_owned(), Self::Map(properties)));
            members.push(("required".to_owned(), Self::List(required)));
            members.push(("x-conformance".to_owned(), Self::List(invariants)));
        }
        self
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        match self {
            Self::Map(members) => members.iter_mut().find(|(member, _)| member == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the member of a map.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    /// Returns the member of a map, if it is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text()
    }

    /// Returns true if the member of a map is `true`.
    pub fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Self::Bool(true))
    }

    /// Returns the string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the members of a map; an empty list for other values.
    pub fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Map(members) => members,
            _ => &[],
        }
    }

    /// Returns the items of a list; an empty list for other values.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the members of the map with this name, or an empty list.
    pub fn members_of(&self, name: &str) -> &[(String, Self)] {
        self.get(name).map_or(&[], Self::members)
    }

    /// Returns the items of the list with this name, or an empty list.
    pub fn items_of(&self, name: &str) -> &[Self] {
        self.get(name).map_or(&[], Self::items)
    }

    /// Returns a scalar as text without quotes; a dash for other values.
    pub fn plain(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Number(number) => number.clone(),
            Self::Text(text) => text.clone(),
            Self::Null => "null".to_owned(),
            Self::List(_) | Self::Map(_) => "–".to_owned(),
        }
    }

    /// Returns the target of a reference of this document (`#/a/b`).
    pub fn follow(&self, reference: &str) -> Option<&Self> {
        let steps = reference.strip_prefix("#/")?.split('/');
        steps.map(|step| step.replace("~1", "/").replace("~0", "~")).try_fold(self, |node, step| node.get(&step))
    }

    /// Returns the component behind `part` if it is a reference, else `part` itself.
    pub fn resolve<'tree>(&'tree self, part: &'tree Self) -> &'tree Self {
        part.text("$ref").and_then(|reference| self.follow(reference)).unwrap_or(part)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => {
                number.parse::<serde_json::Number>().map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        Node::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Node::Map(members))
    }
}
