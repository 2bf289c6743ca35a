//! Checks of requests before they are sent: the document's bounds on their members, as calls of `sdk/src/bounds.rs`.

use openapiv3::{Schema, Type};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;
use syn::Ident;

use super::document::Document;
use super::schema::{kind, map, map_values, object, properties};
use super::words::snake;

/// The keyword for a length that is counted after white space around the text is taken off.
const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// The keyword for the length of each name in a map.
const NAME_LENGTH: &str = "x-key-length";

/// Maximum of a member without one. It fits into `usize` on each target, also on wasm32.
const UNBOUNDED: usize = u32::MAX as usize;

/// The checks of a request's members, as calls on `check`.
pub(super) fn checks<'a>(document: &'a Document, schema: &'a Schema) -> impl Iterator<Item = TokenStream> + 'a {
    properties(schema).flat_map(|(member, part)| {
        let field = format_ident!("{}", snake(member));
        let meaning = document.meaning(part);
        let is_list = matches!(meaning.and_then(kind), Some(Type::Array(_)));
        let is_required =
            !is_list && object(schema).is_some_and(|object| object.required.iter().any(|name| name == member));
        let required = is_required.then(|| quote!(check.required(#member, self.#field.as_ref());));
        required.into_iter().chain(meaning.and_then(|meaning| member_check(member, &field, meaning, document)))
    })
}

/// The check of one member, if it is of a kind that has bounds.
fn member_check(name: &str, field: &Ident, schema: &Schema, document: &Document) -> Option<TokenStream> {
    let lengths = |part| match document.meaning(part).and_then(kind) {
        Some(Type::String(text)) => Some((text.min_length.unwrap_or(0), text.max_length.unwrap_or(UNBOUNDED))),
        _ => None,
    };
    let keyword = |keyword| {
        let bounds = schema.schema_data.extensions.get(keyword)?;
        let bound = |name| bounds.get(name).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
        Some((bound("min").unwrap_or(0), bound("max").unwrap_or(UNBOUNDED)))
    };
    match kind(schema)? {
        Type::String(text) if text.enumeration.is_empty() => {
            let trimmed = keyword(TRIMMED_LENGTH);
            let trim = trimmed.map(|_| quote!(.map(str::trim)));
            let written = (text.min_length.unwrap_or(0), text.max_length.unwrap_or(UNBOUNDED));
            let (minimum, maximum) = trimmed.unwrap_or(written);
            let is_bounded = minimum > 0 || maximum < UNBOUNDED;
            is_bounded.then(|| quote!(check.text(#name, self.#field.as_deref() #trim, #minimum, #maximum);))
        }
        Type::Integer(integer) => {
            let bound = |bound: Option<i64>| bound.and_then(|bound| u32::try_from(bound).ok());
            let (minimum, maximum) = (bound(integer.minimum).unwrap_or(0), bound(integer.maximum).unwrap_or(u32::MAX));
            let is_bounded = minimum > 0 || maximum < u32::MAX;
            is_bounded.then(|| quote!(check.integer(#name, self.#field, #minimum, #maximum);))
        }
        Type::Array(array) => {
            let (shortest, longest) = lengths(super::schema::Part::of(array.items.as_ref()?))?;
            let count = array.max_items.unwrap_or(UNBOUNDED);
            Some(quote!(check.texts(#name, &self.#field, #count, (#shortest, #longest));))
        }
        Type::Object(texts) if map(schema).is_some() => {
            let (_, longest) = lengths(map_values(texts)?)?;
            let count = texts.max_properties.unwrap_or(UNBOUNDED);
            let (shortest_name, longest_name) = keyword(NAME_LENGTH).unwrap_or((0, UNBOUNDED));
            let names = quote!((#shortest_name, #longest_name));
            let is_bounded = count < UNBOUNDED || longest < UNBOUNDED;
            is_bounded.then(|| quote!(check.map(#name, self.#field.as_deref(), #count, #names, #longest);))
        }
        Type::Object(_) => Some(quote!(check.object(#name, self.#field.as_ref());)),
        _ => None,
    }
}
