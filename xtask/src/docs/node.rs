//! The document as a tree that keeps the order in which it was written. Nothing of its presentation lives here.

use std::fmt;

use anyhow::{Context as _, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value of the document.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
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
    pub(super) fn parse(text: &str) -> Result<Self> {
        serde_saphyr::from_str(text).context("the document is not readable YAML")
    }

    /// The member of a map.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    /// The member of a map, if it is a string.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text()
    }

    /// Whether the member of a map is `true`.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Self::Bool(true))
    }

    /// The string, if it is one.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The members of a map; none for anything else.
    pub(super) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Map(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none for anything else.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The members of the map that is a member of this one; none where there is no such map.
    pub(super) fn members_of(&self, name: &str) -> &[(String, Self)] {
        self.get(name).map_or(&[], Self::members)
    }

    /// The items of the list that is a member of this map; none where there is no such list.
    pub(super) fn items_of(&self, name: &str) -> &[Self] {
        self.get(name).map_or(&[], Self::items)
    }

    /// What a scalar says, without quotes; a dash for anything else.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Number(number) => number.clone(),
            Self::Text(text) => text.clone(),
            Self::Null => "null".to_owned(),
            Self::List(_) | Self::Map(_) => "–".to_owned(),
        }
    }

    /// What a reference of this document (`#/a/b`) leads to.
    pub(super) fn follow(&self, reference: &str) -> Option<&Self> {
        let steps = reference.strip_prefix("#/")?.split('/');
        steps.map(|step| step.replace("~1", "/").replace("~0", "~")).try_fold(self, |node, step| node.get(&step))
    }

    /// The component behind `part` if it is a reference, else `part` itself.
    pub(super) fn resolve<'tree>(&'tree self, part: &'tree Self) -> &'tree Self {
        part.text("$ref").and_then(|reference| self.follow(reference)).unwrap_or(part)
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
