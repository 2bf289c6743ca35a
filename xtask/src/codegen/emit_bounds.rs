//! Writes `check` for the request types: it refuses, with the member's name, what the document does not allow, so
//! that a mistake is found before anything is sent.

use quote::{format_ident, quote};
use syn::Item;

use super::bounds::{Bounds, Member, Shape};
use super::words::snake;

/// The implementation of `check` for one request type.
pub(super) fn items(bounds: &Bounds) -> syn::Result<Vec<Item>> {
    let name = format_ident!("{}", bounds.schema);
    let checks = bounds.members.iter().map(check);
    let tokens = quote! {
        impl #name {
            /// Checks the bounds that the document states; the message names the member.
            pub(crate) fn check(&self) -> ::std::result::Result<(), String> {
                #( #checks )*
                Ok(())
            }
        }
    };
    Ok(syn::parse2::<syn::File>(tokens)?.items)
}

/// The check of one member.
fn check(member: &Member) -> proc_macro2::TokenStream {
    let name = &member.name;
    let field = format_ident!("{}", snake(name));
    let call = match member.shape {
        Shape::Text { minimum, maximum, trimmed } => {
            quote! { crate::bounds::text(#name, value, #minimum, #maximum, #trimmed)?; }
        }
        Shape::Integer { minimum, maximum } => {
            quote! { crate::bounds::integer(#name, u64::from(*value), #minimum, #maximum)?; }
        }
        Shape::Texts { maximum, shortest, longest } => {
            quote! { crate::bounds::texts(#name, &self.#field, #maximum, #shortest, #longest)?; }
        }
        Shape::Map { maximum, longest } => {
            quote! { crate::bounds::map(#name, value, #maximum, #longest)?; }
        }
    };
    match (&member.shape, member.required) {
        (Shape::Texts { .. }, _) => call,
        (_, true) => quote! { { let value = &self.#field; #call } },
        (_, false) => quote! { if let Some(value) = &self.#field { #call } },
    }
}
