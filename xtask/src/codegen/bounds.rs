//! Checks of requests before they are sent: the document's bounds on their members, as calls of `sdk/src/bounds.rs`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;
use syn::Ident;

use super::document::Document;
use super::json::{is_map, properties, text, texts};
use super::words::snake;

/// The keyword for a length that is counted after white space around the text is taken off.
const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// The keyword for the length of each name in a map.
const NAME_LENGTH: &str = "x-key-length";

/// The checks of a request's members, as calls on `check`.
pub(super) fn checks<'a>(document: &'a Document, name: &str) -> impl Iterator<Item = TokenStream> + 'a {
    let schema = &document.schemas[name];
    properties(schema).flat_map(|(member, written)| {
        let field = format_ident!("{}", snake(member));
        let is_list = text(document.meaning(written), "type") == Some("array");
        let is_required = !is_list && texts(schema, "required").any(|name| name == member);
        let required = is_required.then(|| quote!(check.required(#member, self.#field.as_ref());));
        required.into_iter().chain(member_check(member, &field, document.meaning(written)))
    })
}

/// The check of one member, if it is of a kind that has bounds.
fn member_check(name: &str, field: &Ident, schema: &Value) -> Option<TokenStream> {
    match text(schema, "type")? {
        "string" if schema.get("enum").is_none() => {
            let trimmed = schema.get(TRIMMED_LENGTH);
            let (minimum, maximum) = match trimmed {
                Some(trimmed) => (least(trimmed, "min"), most(trimmed, "max")),
                None => (least(schema, "minLength"), most(schema, "maxLength")),
            };
            let trim = trimmed.map(|_| quote!(.map(str::trim)));
            let is_bounded = minimum > 0 || maximum < usize::MAX;
            is_bounded.then(|| quote!(check.text(#name, self.#field.as_deref() #trim, #minimum, #maximum);))
        }
        "integer" => {
            let bound = |keyword, otherwise| u32::try_from(most(schema, keyword)).unwrap_or(otherwise);
            let (minimum, maximum) = (u32::try_from(least(schema, "minimum")).unwrap_or(0), bound("maximum", u32::MAX));
            (minimum > 0 || maximum < u32::MAX).then(|| quote!(check.integer(#name, self.#field, #minimum, #maximum);))
        }
        "array" if text(&schema["items"], "type") == Some("string") => {
            let (count, items) = (most(schema, "maxItems"), &schema["items"]);
            let (shortest, longest) = (least(items, "minLength"), most(items, "maxLength"));
            Some(quote!(check.texts(#name, &self.#field, #count, (#shortest, #longest));))
        }
        "object" if text(&schema["additionalProperties"], "type") == Some("string") => {
            let (count, longest) = (most(schema, "maxProperties"), most(&schema["additionalProperties"], "maxLength"));
            let names = schema.get(NAME_LENGTH).unwrap_or(&Value::Null);
            let (shortest_name, longest_name) = (least(names, "min"), most(names, "max"));
            let is_bounded = count < usize::MAX || longest < usize::MAX;
            let names = quote!((#shortest_name, #longest_name));
            is_bounded.then(|| quote!(check.map(#name, self.#field.as_deref(), #count, #names, #longest);))
        }
        "object" if !is_map(schema) => Some(quote!(check.object(#name, self.#field.as_ref());)),
        _ => None,
    }
}

/// A lower bound, or none.
fn least(schema: &Value, keyword: &str) -> usize {
    bound(schema, keyword).unwrap_or(0)
}

/// An upper bound, or none.
fn most(schema: &Value, keyword: &str) -> usize {
    bound(schema, keyword).unwrap_or(usize::MAX)
}

fn bound(schema: &Value, keyword: &str) -> Option<usize> {
    usize::try_from(schema.get(keyword)?.as_u64()?).ok()
}
