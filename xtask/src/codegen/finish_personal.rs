//! What people have told about themselves is not shown by `Debug`, which ends up in logs. The members are public all
//! the same: a program that wants to show them says so.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Field, Fields, Item, ItemStruct, parse_quote};

use super::type_graph::{TypeGraph, structures};

/// The schema of somebody who told something: what it refers to was told as well.
const PERSON: &str = "Lead";
/// The type of what may have anything in it.
const FREE: &str = ":: serde_json :: Map <";
/// The types of what tells nothing about a person.
const HARMLESS: [&str; 4] = [":: chrono :: DateTime <", "bool", "u32", "u64"];

/// Replaces the derived `Debug` of what people have told, and of everything that it may be in.
pub(super) fn hide(items: &mut Vec<Item>) {
    let graph = TypeGraph::of(items);
    let told = graph.below(PERSON);
    let free = structures(items).filter(|structure| is_free(structure)).map(|structure| structure.ident.to_string());
    let places: BTreeSet<String> = told.iter().cloned().chain(free).collect();
    let around = graph.above(&places);
    let mut written = Vec::new();
    for item in &mut *items {
        let Item::Struct(structure) = item else { continue };
        let name = structure.ident.to_string();
        if !places.contains(&name) && !around.contains(&name) {
            continue;
        }
        let shown = if told.contains(&name) { shown_of_told(structure, &told) } else { shown_around(structure) };
        for attribute in structure.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
            *attribute = parse_quote!(#[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]);
        }
        let name = &structure.ident;
        written.push(parse_quote! {
            /// Without what a person has told.
            impl ::std::fmt::Debug for #name {
                fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    #shown
                }
            }
        });
    }
    items.extend(written);
}

/// Whether a type is nothing but an object that may have anything in it, such as the data of any event.
fn is_free(structure: &ItemStruct) -> bool {
    matches!(&structure.fields, Fields::Unnamed(only) if kind(&only.unnamed[0]).starts_with(FREE))
}

/// Of what was told: ids, what is harmless, and what hides itself.
fn shown_of_told(structure: &ItemStruct, told: &BTreeSet<String>) -> TokenStream {
    let fields = structure.fields.iter().filter(|field| {
        let (name, kind) = (name(field), kind(field));
        let is_id = name == "id" || name.ends_with("_id");
        let is_harmless = HARMLESS.iter().chain([&FREE]).any(|harmless| kind.starts_with(harmless));
        field.ident.is_some() && (is_id || is_harmless || told.contains(&kind))
    });
    let fields = fields.map(shown_field);
    let name = structure.ident.to_string();
    quote!(formatter.debug_struct(#name) #(#fields)* .finish_non_exhaustive())
}

/// All members, which hide themselves where they have to.
fn shown_around(structure: &ItemStruct) -> TokenStream {
    let name = structure.ident.to_string();
    if is_free(structure) {
        return quote!(formatter.debug_tuple(#name).field(&self.0.keys().collect::<::std::vec::Vec<_>>()).finish());
    }
    let fields = structure.fields.iter().map(shown_field);
    quote!(formatter.debug_struct(#name) #(#fields)* .finish())
}

/// A member; of one that may have anything in it, the names.
fn shown_field(field: &Field) -> TokenStream {
    let (name, text) = (&field.ident, name(field));
    if kind(field).starts_with(FREE) {
        quote!(.field(#text, &self.#name.keys().collect::<::std::vec::Vec<_>>()))
    } else {
        quote!(.field(#text, &self.#name))
    }
}

/// The name of a member.
fn name(field: &Field) -> String {
    field.ident.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The type of a member as text, without the `Option` around it.
fn kind(field: &Field) -> String {
    let text = field.ty.to_token_stream().to_string();
    let within = text.strip_prefix(":: std :: option :: Option <").and_then(|rest| rest.strip_suffix('>'));
    within.map_or_else(|| text.clone(), |within| within.trim().to_owned())
}
