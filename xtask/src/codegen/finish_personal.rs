//! What people have told about themselves is not shown by `Debug`, which ends up in logs. The members are public all
//! the same: a program that wants to show them says so.

use quote::ToTokens as _;
use syn::{Item, parse_quote};

/// The schemas that hold what people have told, each with the members that may be shown.
const PERSONAL: [(&str, &[&str]); 2] = [("Lead", &["id", "website_id", "captured_at"]), ("LeadFields", &[])];

/// Replaces the derived `Debug` of those schemas by one that shows no more than that.
pub(super) fn hide(items: &mut Vec<Item>) {
    for (name, shown) in PERSONAL {
        let structure = items.iter_mut().find_map(|item| match item {
            Item::Struct(structure) if structure.ident == name => Some(structure),
            _ => None,
        });
        let Some(structure) = structure else { continue };
        for attribute in structure.attrs.iter_mut().filter(|attribute| attribute.path().is_ident("derive")) {
            let text = attribute.to_token_stream().to_string();
            if text.contains("Debug") {
                *attribute = parse_quote!(#[derive(::serde::Deserialize, ::serde::Serialize, Clone, PartialEq)]);
            }
        }
        let name = structure.ident.clone();
        let text = name.to_string();
        let shown: Vec<_> = shown.iter().map(|member| quote::format_ident!("{member}")).collect();
        items.push(parse_quote! {
            /// Without what the person has told.
            impl ::std::fmt::Debug for #name {
                fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    formatter.debug_struct(#text) #( .field(stringify!(#shown), &self.#shown) )* .finish_non_exhaustive()
                }
            }
        });
    }
}
