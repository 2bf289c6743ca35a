//! Reads schemas as `openapiv3` parses them, with their references and the document's own keywords.

use std::borrow::Borrow;

use openapiv3::{AdditionalProperties, ObjectType, ReferenceOr, Schema, SchemaKind, Type};
use serde_json::Value;

/// The values of a vocabulary that may grow.
pub(super) const OPEN_VOCABULARY: &str = "x-extensible-enum";
/// Prefix of references to named schemas.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// A schema in its place inside of another one.
#[derive(Clone, Copy)]
pub(super) enum Part<'a> {
    /// A reference to a named schema: alone, or as an `allOf` of one, which is how 3.0 documents describe a reference.
    Named(&'a str, Option<&'a Schema>),
    Inline(&'a Schema),
}

impl<'a> Part<'a> {
    /// Reads a schema in its place.
    pub(super) fn of<S: Borrow<Schema>>(written: &'a ReferenceOr<S>) -> Self {
        let schema = match written {
            ReferenceOr::Reference { reference } => return Self::Named(schema_name(reference), None),
            ReferenceOr::Item(schema) => schema.borrow(),
        };
        let parts = match &schema.schema_kind {
            SchemaKind::AllOf { all_of } => all_of,
            // With a `type` beside it.
            SchemaKind::Any(any) => &any.all_of,
            _ => return Self::Inline(schema),
        };
        match parts.as_slice() {
            [ReferenceOr::Reference { reference }] => Self::Named(schema_name(reference), Some(schema)),
            _ => Self::Inline(schema),
        }
    }

    /// The name of the schema that it refers to.
    pub(super) fn name(self) -> Option<&'a str> {
        match self {
            Self::Named(name, _) => Some(name),
            Self::Inline(_) => None,
        }
    }

    /// The schema as written in its place.
    pub(super) fn written(self) -> Option<&'a Schema> {
        match self {
            Self::Named(_, written) => written,
            Self::Inline(schema) => Some(schema),
        }
    }
}

fn schema_name(reference: &str) -> &str {
    reference.strip_prefix(SCHEMAS).unwrap_or(reference)
}

/// The parts of a schema.
pub(super) fn parts(schema: &Schema) -> Vec<Part<'_>> {
    match &schema.schema_kind {
        SchemaKind::Type(Type::Object(object)) => {
            object.properties.values().map(Part::of).chain(map_values(object)).collect()
        }
        SchemaKind::Type(Type::Array(array)) => array.items.iter().map(Part::of).collect(),
        SchemaKind::OneOf { one_of: parts }
        | SchemaKind::AllOf { all_of: parts }
        | SchemaKind::AnyOf { any_of: parts } => parts.iter().map(Part::of).collect(),
        _ => Vec::new(),
    }
}

/// The type of a schema.
pub(super) fn kind(schema: &Schema) -> Option<&Type> {
    match &schema.schema_kind {
        SchemaKind::Type(kind) => Some(kind),
        _ => None,
    }
}

/// The object that a schema describes.
pub(super) fn object(schema: &Schema) -> Option<&ObjectType> {
    match kind(schema)? {
        Type::Object(object) => Some(object),
        _ => None,
    }
}

/// The fields of an object, by name.
pub(super) fn properties(schema: &Schema) -> impl Iterator<Item = (&str, Part<'_>)> {
    object(schema).into_iter().flat_map(|object| &object.properties).map(|(name, part)| (name.as_str(), Part::of(part)))
}

/// The object if it has arbitrary names.
pub(super) fn map(schema: &Schema) -> Option<&ObjectType> {
    object(schema).filter(|object| object.properties.is_empty())
}

/// The schema of the values under names that the document does not list.
pub(super) fn map_values(object: &ObjectType) -> Option<Part<'_>> {
    match &object.additional_properties {
        Some(AdditionalProperties::Schema(values)) => Some(Part::of(values)),
        _ => None,
    }
}

/// Returns true if a keyword of the document is `true`.
pub(super) fn is_marked(schema: &Schema, keyword: &str) -> bool {
    schema.schema_data.extensions.get(keyword) == Some(&Value::Bool(true))
}

/// The texts that a keyword of the document lists, if it is there.
pub(super) fn texts<'a>(schema: &'a Schema, keyword: &str) -> Option<Vec<&'a str>> {
    let texts = schema.schema_data.extensions.get(keyword)?.as_array()?;
    Some(texts.iter().filter_map(Value::as_str).collect())
}
