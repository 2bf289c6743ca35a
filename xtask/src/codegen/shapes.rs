//! Hand-written replacements of progenitor's types. Its enumerations fail on unknown values, and it tries the variants of a union in order,
//! so that it could read an event as another one. `sdk/src/shapes` implements them.

use anyhow::{Context as _, Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;
use syn::Ident;

use super::document::Document;
use super::json::{single_reference, text, texts};
use super::lower::OPEN_VOCABULARY;
use super::words::pascal;

/// The vocabularies that may grow, and the unions.
pub(super) fn items(document: &Document) -> Result<TokenStream> {
    let mut items = TokenStream::new();
    for (name, schema) in &document.schemas {
        let described = text(schema, "description").map_or_else(|| format!("A `{name}`."), str::to_owned);
        let ident = format_ident!("{name}");
        if schema.get(OPEN_VOCABULARY).is_some() {
            let values: Vec<_> = texts(schema, OPEN_VOCABULARY).collect();
            let variants = values.iter().map(|value| variant(value)).collect::<Result<Vec<_>>>()?;
            items.extend(quote! {
                crate::shapes::vocabulary! { #[doc = #described] #ident { #( #variants = #values; )* } }
            });
        } else if let Some(parts) = schema.get("oneOf").and_then(Value::as_array) {
            items.extend(union(name, schema, parts, &described)?);
        }
    }
    Ok(items)
}

/// Returns a union with a discriminator.
fn union(name: &str, schema: &Value, parts: &[Value], described: &str) -> Result<TokenStream> {
    let Some(tag) = schema.pointer("/discriminator/propertyName").and_then(Value::as_str) else {
        bail!("the schema `{name}` is a `oneOf` without a `discriminator`, so its variants cannot be distinguished");
    };
    let mapping = schema.pointer("/discriminator/mapping").and_then(Value::as_object);
    let (mut variants, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let target =
            single_reference(part).with_context(|| format!("the schema `{name}` has a variant without a name"))?;
        let mut mapped = mapping.into_iter().flatten();
        let stands_for = |to: &Value| to.as_str().is_some_and(|to| to.rsplit('/').next() == Some(target));
        let Some((value, _)) = mapped.find(|(_, to)| stands_for(to)) else {
            bail!("the schema `{name}` has no value of `{tag}` for `{target}`; add it to its `mapping`")
        };
        variants.push(variant(value)?);
        types.push(format_ident!("{target}"));
        values.push(value);
    }
    let ident = format_ident!("{name}");
    Ok(quote! {
        crate::shapes::tagged_union! { #[doc = #described] #ident by #tag { #( #variants(#types) = #values; )* } }
    })
}

/// The name of a value in Rust.
fn variant(value: &str) -> Result<Ident> {
    syn::parse_str(&pascal(value))
        .with_context(|| format!("the value {value:?} of a vocabulary cannot be a name in Rust"))
}
