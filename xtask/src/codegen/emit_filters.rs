//! Writes the conversions from the states that answers have to those that can be asked for, so that a list can be narrowed to the
//! state of something that was read.

use quote::{format_ident, quote};
use serde_json::Value;
use syn::Item;

use super::document::schemas;
use super::lower::Lowered;

/// The conversions into each closed vocabulary, from every open one whose known values it has.
pub(super) fn items(lowered: &Lowered) -> syn::Result<Vec<Item>> {
    let mut items = Vec::new();
    for (closed, schema) in schemas(&lowered.document).into_iter().flatten() {
        let Some(values) = schema.get("enum").and_then(Value::as_array) else { continue };
        for open in &lowered.open_enums {
            if open.values.iter().all(|value| values.contains(&Value::from(value.as_str()))) {
                items.extend(conversions(&open.name, closed)?);
            }
        }
    }
    Ok(items)
}

/// The conversions from one vocabulary into another.
fn conversions(open: &str, closed: &str) -> syn::Result<Vec<Item>> {
    let (open, closed) = (format_ident!("{open}"), format_ident!("{closed}"));
    let tokens = quote! {
        /// What this version of the crate does not know cannot be asked for; the error names it.
        impl ::std::convert::TryFrom<&#open> for #closed {
            type Error = self::error::ConversionError;
            fn try_from(value: &#open) -> ::std::result::Result<Self, self::error::ConversionError> {
                value.as_str().parse().map_err(|_| {
                    let value = crate::error_words::excerpt(value.as_str());
                    format!("{value:?} cannot be asked for, since this version of the crate does not know it").into()
                })
            }
        }
        /// What this version of the crate does not know cannot be asked for; the error names it.
        impl ::std::convert::TryFrom<#open> for #closed {
            type Error = self::error::ConversionError;
            fn try_from(value: #open) -> ::std::result::Result<Self, self::error::ConversionError> {
                Self::try_from(&value)
            }
        }
    };
    Ok(syn::parse2::<syn::File>(tokens)?.items)
}
