//! Hand-written replacements of progenitor's types. Its enumerations fail on unknown values, and it tries the variants of a union in order,
//! so that it could read an event as another one. `sdk/src/shapes` implements them.

use anyhow::{Context as _, Result, bail};
use openapiv3::{ReferenceOr, Schema, SchemaKind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::document::Document;
use super::schema::{OPEN_VOCABULARY, Part, texts};
use super::words::pascal;

/// The vocabularies that may grow, and the unions.
pub(super) fn items(document: &Document) -> Result<TokenStream> {
    let mut items = TokenStream::new();
    for (name, schema) in &document.schemas {
        let described = schema.schema_data.description.clone().unwrap_or_else(|| format!("A `{name}`."));
        let ident = format_ident!("{name}");
        if let Some(values) = texts(schema, OPEN_VOCABULARY) {
            let variants = values.iter().map(|value| variant(value)).collect::<Result<Vec<_>>>()?;
            items.extend(quote! {
                crate::shapes::vocabulary! { #[doc = #described] #ident { #( #variants = #values; )* } }
            });
        } else if let SchemaKind::OneOf { one_of } = &schema.schema_kind {
            items.extend(union(name, schema, one_of, &described)?);
        }
    }
    Ok(items)
}

/// Returns a union with a discriminator.
fn union(name: &str, schema: &Schema, parts: &[ReferenceOr<Schema>], described: &str) -> Result<TokenStream> {
    let Some(discriminator) = &schema.schema_data.discriminator else {
        bail!("the schema `{name}` is a `oneOf` without a `discriminator`, so its variants cannot be distinguished");
    };
    let tag = &discriminator.property_name;
    let (mut variants, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let target =
            Part::of(part).name().with_context(|| format!("the schema `{name}` has a variant without a name"))?;
        let mut mapped = discriminator.mapping.iter();
        let Some((value, _)) = mapped.find(|(_, to)| to.rsplit('/').next() == Some(target)) else {
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
