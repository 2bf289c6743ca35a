//! Checks of requests before they are sent: the document's bounds on their members, as calls of `sdk/src/bounds.rs`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use super::document::Document;
use super::json::{properties, text, texts};
use super::words::snake;

/// The keyword for a length that is counted after white space around the text is taken off.
const TRIMMED_LENGTH: &str = "x-trimmed-length";
/// The keyword for the length of each name in a map.
const NAME_LENGTH: &str = "x-key-length";

/// The checks of a request's members, each of a variable of the member's name, which is `None` where there is nothing to check.
pub(super) fn checks<'a>(document: &'a Document, name: &str) -> impl Iterator<Item = TokenStream> + 'a {
    let schema = &document.schemas[name];
    properties(schema).filter_map(|(member, written)| {
        let is_required = texts(schema, "required").any(|name| name == member);
        member_check(member, document.meaning(written), is_required)
    })
}

/// The check of one member, if it is of a kind that has bounds.
fn member_check(name: &str, schema: &Value, is_required: bool) -> Option<TokenStream> {
    let field = format_ident!("{}", snake(name));
    let call = match text(schema, "type")? {
        "string" if schema.get("enum").is_none() => {
            let trimmed = schema.get(TRIMMED_LENGTH);
            let (minimum, maximum) = match trimmed {
                Some(trimmed) => (least(trimmed, "min"), most(trimmed, "max")),
                None => (least(schema, "minLength"), most(schema, "maxLength")),
            };
            let is_trimmed = trimmed.is_some();
            (minimum > 0 || maximum < u64::MAX)
                .then(|| quote!(crate::bounds::text(#name, value, #minimum, #maximum, #is_trimmed, &mut faults);))
        }
        "integer" => {
            let (minimum, maximum) = (least(schema, "minimum"), most(schema, "maximum"));
            (minimum > 0 || maximum < u64::MAX)
                .then(|| quote!(crate::bounds::integer(#name, u64::from(*value), #minimum, #maximum, &mut faults);))
        }
        "array" if text(&schema["items"], "type") == Some("string") => {
            let (count, items) = (most(schema, "maxItems"), &schema["items"]);
            let (shortest, longest) = (least(items, "minLength"), most(items, "maxLength"));
            let check = quote!(crate::bounds::texts(#name, value, #count, #shortest, #longest, &mut faults));
            return Some(quote!(if let Some(value) = &#field { #check }));
        }
        "object" if text(&schema["additionalProperties"], "type") == Some("string") => {
            let (count, longest) = (most(schema, "maxProperties"), most(&schema["additionalProperties"], "maxLength"));
            let names = schema.get(NAME_LENGTH).unwrap_or(&Value::Null);
            let (shortest_name, longest_name) = (least(names, "min"), most(names, "max"));
            let names = quote!((#shortest_name, #longest_name));
            Some(quote!(crate::bounds::map(#name, value, #count, #names, #longest, &mut faults);))
        }
        _ => None,
    }?;
    Some(if is_required {
        quote!(if let Some(value) = &#field { #call })
    } else {
        quote!(if let Some(Some(value)) = &#field { #call })
    })
}

/// A lower bound, or none.
fn least(schema: &Value, keyword: &str) -> u64 {
    schema.get(keyword).and_then(Value::as_u64).unwrap_or(0)
}

/// An upper bound, or none.
fn most(schema: &Value, keyword: &str) -> u64 {
    schema.get(keyword).and_then(Value::as_u64).unwrap_or(u64::MAX)
}
