//! Writes the types of tagged unions: one variant per known tag, and `Unknown` with the whole value for every other.

use quote::{format_ident, quote};
use syn::Item;

use super::unions::Union;
use super::words::pascal;

/// The items of one union.
pub(super) fn items(union: &Union) -> syn::Result<Vec<Item>> {
    let name = format_ident!("{}", union.name);
    let description = union.description.clone().unwrap_or_else(|| format!("A `{}`.", union.name));
    let tag = &union.tag;
    let tags: Vec<_> = union.variants.iter().map(|(value, _)| value).collect();
    let variants: Vec<_> = tags.iter().map(|value| format_ident!("{}", pascal(value))).collect();
    let types: Vec<_> = union.variants.iter().map(|(_, name)| format_ident!("{name}")).collect();
    let docs = tags.iter().map(|value| format!("`{value}`"));
    let tag_doc =
        format!("The `{tag}` that tells the variants apart, as it stands on the wire; empty where there is none.");
    let tokens = quote! {
        #[doc = #description]
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #( #[doc = #docs] #variants(Box<#types>), )*
            /// A kind that this version of the crate does not know, as it was received.
            Unknown(::serde_json::Value),
        }
        impl #name {
            #[doc = #tag_doc]
            pub fn tag(&self) -> &str {
                match self {
                    #( Self::#variants(_) => #tags, )*
                    Self::Unknown(value) => value.get(#tag).and_then(::serde_json::Value::as_str).unwrap_or_default(),
                }
            }
        }
        /// Of an unknown kind nothing but the kind, since it may have personal data in it.
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    #( Self::#variants(value) => ::std::fmt::Debug::fmt(value, formatter), )*
                    Self::Unknown(_) => formatter.debug_tuple("Unknown").field(&self.tag()).finish(),
                }
            }
        }
        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    #( Self::#variants(value) => value.serialize(serializer), )*
                    Self::Unknown(value) => value.serialize(serializer),
                }
            }
        }
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let value = <::serde_json::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                let read = match value.get(#tag).and_then(::serde_json::Value::as_str) {
                    #( Some(#tags) => ::serde_json::from_value(value).map(Self::#variants), )*
                    _ => Ok(Self::Unknown(value)),
                };
                read.map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }
    };
    Ok(syn::parse2::<syn::File>(tokens)?.items)
}
