//! The changes to the builders of operations: sending returns our own response and error, the members of a body are
//! set directly, and each setter says what the document says of it.

use anyhow::{Context as _, Result};
use quote::{ToTokens as _, format_ident};
use syn::{Attribute, ImplItem, ImplItemFn, Item, ReturnType, parse_quote};

use super::lower::Lowered;
use super::words::{pascal, snake};
use super::{finish_parameters, finish_sending};

/// Changes the items of the module of builders.
pub(super) fn finish(items: &mut [Item], lowered: &Lowered, setters: &[(String, ImplItemFn)]) -> Result<()> {
    for item in items {
        match item {
            Item::Struct(structure) => {
                structure.attrs.push(parse_quote!(#[must_use = "a request does nothing until it is sent"]));
            }
            Item::Use(import) => import.attrs = vec![parse_quote!(#[allow(unused_imports)])],
            Item::Impl(implementation) if implementation.trait_.is_none() => {
                let builder = implementation.self_ty.to_token_stream().to_string();
                let builder = builder.split_whitespace().next().unwrap_or_default().to_owned();
                let mut body = None;
                for item in &mut implementation.items {
                    let ImplItem::Fn(method) = item else { continue };
                    finish_parameters::finish(method);
                    method.attrs.extend(documentation(&builder, method, lowered));
                    if method.sig.ident == "new" {
                        method.vis = parse_quote!(pub(crate));
                    }
                    if method.sig.ident == "body_map" {
                        body = Some(method.sig.to_token_stream().to_string());
                    }
                }
                let flat = setters.iter().filter(|(of, _)| body.as_ref().is_some_and(|body| names(body, of)));
                implementation.items.extend(flat.map(|(of, setter)| direct(of, setter, lowered)));
                own_send(implementation).with_context(|| format!("`send` of the builder `{builder}`"))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a text of tokens has a name in it as a word.
fn names(text: &str, name: &str) -> bool {
    text.split_whitespace().any(|word| word == name)
}

/// What the document says of the parameter that a method sets.
fn documentation(builder: &str, method: &ImplItemFn, lowered: &Lowered) -> Option<Attribute> {
    let name = method.sig.ident.to_string();
    let found = lowered
        .operations
        .parameters
        .iter()
        .find(|((operation, parameter), _)| pascal(operation) == builder && snake(parameter) == name);
    found.map(|(_, text)| parse_quote!(#[doc = #text]))
}

/// A setter of a body's member, on the operation itself.
fn direct(schema: &str, setter: &ImplItemFn, lowered: &Lowered) -> ImplItem {
    let name = &setter.sig.ident;
    let generics = &setter.sig.generics;
    let bounds = &setter.sig.generics.where_clause;
    let described = lowered.descriptions.iter().find(|((of, member), _)| of == schema && *name == snake(member));
    let description = described.map_or_else(|| format!("Sets `{name}` of the body."), |(_, text)| text.clone());
    let bounds = bounds.as_ref().map(|bounds| seen_from_operations(bounds.to_token_stream()));
    let argument = setter.sig.inputs.iter().nth(1);
    parse_quote! {
        #[doc = #description]
        pub fn #name #generics (self, #argument) -> Self #bounds {
            self.body_map(|body| body.#name(value))
        }
    }
}

/// Paths to types, which stand one module higher from here than from where the setters were taken.
fn seen_from_operations(tokens: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let replace = |token| match token {
        proc_macro2::TokenTree::Ident(word) if word == "super" => format_ident!("types").into(),
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// Makes `send` send by our own function, and return our own types.
fn own_send(implementation: &mut syn::ItemImpl) -> Result<()> {
    for item in &mut implementation.items {
        let ImplItem::Fn(method) = item else { continue };
        if method.sig.ident != "send" {
            continue;
        }
        let ReturnType::Type(_, output) = &method.sig.output else { continue };
        let Some(success) = first_argument(output).and_then(first_argument).cloned() else { continue };
        finish_sending::finish(&mut method.block)?;
        method.sig.output = parse_quote!(-> ::std::result::Result<crate::Response<#success>, crate::Error>);
        let errors = "

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, an answer that cannot be read.";
        method.attrs.push(parse_quote!(#[doc = #errors]));
    }
    Ok(())
}

/// The first type argument of a type such as `Result<T, E>`.
fn first_argument(of: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = of else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(argument) => Some(argument),
        _ => None,
    })
}
