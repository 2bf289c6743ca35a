//! Hides personal data from `Debug`, because its output ends up in logs. The members are public nevertheless, so a program can show them
//! explicitly.

use std::collections::BTreeSet;

use openapiv3::{Schema, StringFormat, Type, VariantOrUnknownOrEmpty};
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Fields, Item, ItemStruct, Meta, Token, parse_quote};

use super::document::Document;
use super::schema::{Part, is_marked, kind, map, map_values};

/// The mark of a schema with personal data.
const PERSONAL: &str = "x-personal-data";

/// Replaces the derived `Debug` of personal data and of everything that can contain it.
pub(super) fn hide(types: &mut Vec<Item>, document: &Document) {
    let schemas = document.schemas.iter();
    let places: BTreeSet<&str> = schemas
        .filter(|(_, schema)| is_marked(schema, PERSONAL) || is_free(schema))
        .map(|(name, _)| name.as_str())
        .collect();
    let mut written: Vec<Item> = Vec::new();
    for item in &mut *types {
        let Item::Struct(structure) = item else { continue };
        let name = structure.ident.to_string();
        let Some(schema) = document.schemas.get(&name) else { continue };
        if !document.reachable([name.as_str()]).iter().any(|below| places.contains(below.as_str())) {
            continue;
        }
        drop_derived_debug(structure);
        let (shown, name) = (shown(structure, schema, document), &structure.ident);
        written.push(parse_quote! {
            /// Without what a person has told.
            impl ::std::fmt::Debug for #name {
                fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    #shown
                }
            }
        });
    }
    types.extend(written);
}

/// Returns true if a schema is an object with arbitrary contents, such as the data of any event.
fn is_free(schema: &Schema) -> bool {
    map(schema).is_some_and(|object| map_values(object).is_none())
}

fn drop_derived_debug(structure: &mut ItemStruct) {
    for attribute in structure.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
        if let Ok(derived) = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) {
            let kept = derived.iter().filter(|derived| !derived.path().is_ident("Debug"));
            *attribute = parse_quote!(#[derive(#(#kept),*)]);
        }
    }
}

/// Returns the members to show: members that hide themselves, ids of personal data, and the names of arbitrary contents.
fn shown(structure: &ItemStruct, schema: &Schema, document: &Document) -> TokenStream {
    let (name, is_personal) = (structure.ident.to_string(), is_marked(schema, PERSONAL));
    if matches!(structure.fields, Fields::Unnamed(_)) {
        return if is_personal {
            quote!(formatter.debug_struct(#name).finish_non_exhaustive())
        } else {
            quote!(formatter.debug_tuple(#name).field(&self.0.keys().collect::<::std::vec::Vec<_>>()).finish())
        };
    }
    let fields = structure.fields.iter().filter_map(|field| {
        let (ident, text) = (field.ident.as_ref()?, field.ident.as_ref()?.to_string());
        let Some((member, part)) = document.member(&name, &text) else {
            return Some(quote!(.field(#text, &self.#ident.keys().collect::<::std::vec::Vec<_>>())));
        };
        let is_shown = !is_personal || tells_nothing(member, part, document);
        is_shown.then(|| quote!(.field(#text, &self.#ident)))
    });
    let end = if is_personal { quote!(finish_non_exhaustive) } else { quote!(finish) };
    quote!(formatter.debug_struct(#name) #(#fields)* .#end())
}

/// Returns true if a member of personal data is an id, a time, a number or a flag, or hides itself.
fn tells_nothing(name: &str, part: Part<'_>, document: &Document) -> bool {
    let is_id = name == "id" || name.ends_with("_id");
    let hides_itself =
        part.name().is_some() && document.meaning(part).is_some_and(|meaning| is_marked(meaning, PERSONAL));
    let is_harmless = match part.written().and_then(kind) {
        Some(Type::Integer(_) | Type::Boolean(_)) => true,
        Some(Type::String(text)) => text.format == VariantOrUnknownOrEmpty::Item(StringFormat::DateTime),
        _ => false,
    };
    is_id || hides_itself || is_harmless
}
