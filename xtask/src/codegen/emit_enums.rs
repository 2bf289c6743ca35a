//! Writes the types of open vocabularies: the known values as variants, and `Unknown` for every other text.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Item;

use super::enums::OpenEnum;
use super::words::pascal;

/// The items of one vocabulary.
pub(super) fn items(open: &OpenEnum) -> syn::Result<Vec<Item>> {
    let name = format_ident!("{}", open.name);
    let description = open.description.clone().unwrap_or_else(|| format!("A `{}`.", open.name));
    let variants: Vec<_> = open.values.iter().map(|value| format_ident!("{}", pascal(value))).collect();
    let values = &open.values;
    let docs = values.iter().map(|value| format!("`{value}`"));
    let tokens = quote! {
        #[doc = #description]
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #( #[doc = #docs] #variants, )*
            /// A value that this version of the crate does not know, as it was received.
            Unknown(String),
        }
        impl #name {
            /// The value as it stands on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    #( Self::#variants => #values, )*
                    Self::Unknown(value) => value,
                }
            }
        }
    };
    let mut items = syn::parse2::<syn::File>(tokens)?.items;
    items.extend(syn::parse2::<syn::File>(conversions(&name, &variants, values))?.items);
    Ok(items)
}

/// The conversions of one vocabulary from and to text.
fn conversions(name: &syn::Ident, variants: &[syn::Ident], values: &[String]) -> TokenStream {
    quote! {
        impl ::std::fmt::Display for #name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
        impl ::std::convert::From<&str> for #name {
            fn from(value: &str) -> Self {
                match value {
                    #( #values => Self::#variants, )*
                    other => Self::Unknown(other.to_owned()),
                }
            }
        }
        impl ::std::convert::From<String> for #name {
            fn from(value: String) -> Self {
                Self::from(value.as_str())
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = ::std::convert::Infallible;
            fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
                Ok(Self::from(value))
            }
        }
        impl ::serde::Serialize for #name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)
                    .map(|value| Self::from(value.as_ref()))
            }
        }
    }
}
