//! Writes conversions for the named maps of texts that are sent, so that they can be given as an array of pairs or as any map, and
//! collected from pairs.

use quote::{format_ident, quote};
use serde_json::{Value, json};
use syn::Item;

use super::document::schemas;
use super::lower::Lowered;

/// The conversions of all such maps.
pub(super) fn items(lowered: &Lowered) -> syn::Result<Vec<Item>> {
    let all = schemas(&lowered.document).into_iter().flatten();
    let maps = all.filter(|(name, schema)| lowered.requests.contains(*name) && is_map_of_texts(schema));
    let mut items = Vec::new();
    for (name, _) in maps {
        let name = format_ident!("{name}");
        let tokens = quote! {
            impl<K: Into<String>, V: Into<String>, const N: usize> ::std::convert::From<[(K, V); N]> for #name {
                fn from(pairs: [(K, V); N]) -> Self {
                    pairs.into_iter().collect()
                }
            }
            impl<K: Into<String>, V: Into<String>, S> ::std::convert::From<::std::collections::HashMap<K, V, S>> for #name {
                fn from(pairs: ::std::collections::HashMap<K, V, S>) -> Self {
                    pairs.into_iter().collect()
                }
            }
            impl<K: Into<String>, V: Into<String>> ::std::iter::FromIterator<(K, V)> for #name {
                fn from_iter<I: ::std::iter::IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
                    Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
                }
            }
        };
        items.extend(syn::parse2::<syn::File>(tokens)?.items);
    }
    Ok(items)
}

/// Whether a schema is an object of texts under any names.
fn is_map_of_texts(schema: &Value) -> bool {
    schema.get("properties").is_none() && schema.pointer("/additionalProperties/type") == Some(&json!("string"))
}
