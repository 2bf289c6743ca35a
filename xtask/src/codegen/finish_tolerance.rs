//! Tolerant decoding of answers: `null` for a list or a map, and members that cannot be read where nothing is promised.

use quote::ToTokens as _;
use syn::{Field, Fields, Ident, Item, ItemStruct, Type, parse_quote};

/// The types that are nothing but a map.
pub(super) fn maps(items: &[Item]) -> Vec<Ident> {
    let is_map = |fields: &Fields| {
        matches!(fields, Fields::Unnamed(only) if only.unnamed.len() == 1 && {
            let text = only.unnamed[0].ty.to_token_stream().to_string();
            text.starts_with(":: std :: collections :: BTreeMap <") || text.starts_with(":: serde_json :: Map <")
        })
    };
    let structures = items.iter().filter_map(|item| match item {
        Item::Struct(structure) if is_map(&structure.fields) => Some(structure.ident.clone()),
        _ => None,
    });
    structures.collect()
}

/// An empty one of each map, which stands for `null`.
pub(super) fn empty_maps(maps: &[Ident]) -> impl Iterator<Item = Item> {
    maps.iter().map(|map| {
        parse_quote! {
            impl ::std::default::Default for #map {
                fn default() -> Self {
                    Self(::std::default::Default::default())
                }
            }
        }
    })
}

/// Makes collections take `null`, and, where nothing is promised, every member take what it cannot read as absent.
pub(super) fn make_tolerant(structure: &mut ItemStruct, is_lenient: bool, maps: &[Ident]) {
    for field in &mut structure.fields {
        let is_extra = field.ident.as_ref().is_some_and(|name| name == "extra");
        let is_option = field.ty.to_token_stream().to_string().starts_with(":: std :: option :: Option <");
        let optional = has_default(field) || is_option;
        if is_extra || field.ident.is_none() {
            continue;
        }
        if is_lenient && optional {
            if !has_default(field) {
                field.attrs.push(parse_quote!(#[serde(default)]));
            }
            field.attrs.push(parse_quote!(#[serde(deserialize_with = "crate::lenient::readable_or_default")]));
        } else if is_collection(&field.ty, maps) {
            field.attrs.push(parse_quote!(#[serde(deserialize_with = "crate::lenient::null_as_empty")]));
        }
    }
}

/// Whether a field may be absent.
fn has_default(field: &Field) -> bool {
    let mut texts = field.attrs.iter().map(|attribute| attribute.to_token_stream().to_string());
    texts.any(|text| text.starts_with("# [serde") && text.contains("default"))
}

/// Whether a type is a list or a map, or one of the named maps.
fn is_collection(field: &Type, maps: &[Ident]) -> bool {
    let text = field.to_token_stream().to_string();
    let is_named = maps.iter().any(|map| *map == text);
    is_named || text.starts_with(":: std :: vec :: Vec <") || text.starts_with(":: std :: collections :: BTreeMap <")
}
