//! The template of an operation: its methods on the clients, its facts, and its builder with typed setters. The hand-written
//! `sdk/src/call.rs` composes and sends the request.

use anyhow::{Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, ItemStruct, Type};

use super::document::Document;
use super::example;
use super::generator::{Method, argument};
use super::operation::{Operation, Parameter};
use super::types;
use super::words::{pascal, snake};

/// The method for an operation on the asynchronous client, and on the blocking client.
pub(super) fn methods(
    method: &Method,
    operation: &Operation,
    document: &Document,
) -> Result<(TokenStream, TokenStream)> {
    let (name, documentation) = (&method.name, &method.documentation);
    let builder = format_ident!("{}", pascal(&operation.id));
    let example = format!("\n{}", example::code(operation, operation.item(document)?));
    let ids: Vec<_> = operation.in_path().map(|parameter| format_ident!("{}", snake(&parameter.name))).collect();
    let names = operation.in_path().map(|parameter| &parameter.name);
    let parameters = quote!(#( #ids: impl ::std::convert::Into<String> ),*);
    let made = quote!(builder::#builder::new(self.clone(), &[#( (#names, #ids.into()) ),*]));
    let said = format!("{}: see [`Client::{name}`](crate::Client::{name}).", operation.summary());
    Ok((
        quote! {
            #(#documentation)*
            #[doc = #example]
            pub fn #name(&self, #parameters) -> builder::#builder {
                #made
            }
        },
        quote! {
            #[doc = #said]
            pub fn #name(&self, #parameters) -> builder::#builder<Self> {
                #made
            }
        },
    ))
}

/// The name of an operation's facts in Rust.
pub(super) fn constant(operation: &Operation) -> Ident {
    format_ident!("{}", snake(&operation.id).to_uppercase())
}

/// The facts of an operation that calls need.
pub(super) fn facts(operation: &Operation) -> TokenStream {
    let Operation { id, path, statuses: (first, last), .. } = operation;
    let (name, method) = (constant(operation), format_ident!("{}", operation.method.to_uppercase()));
    let key = format_ident!("{}", if operation.needs_no_key() { "Never" } else { "Required" });
    let (is_repeatable, keeps_keys) = (operation.is_repeatable(), operation.accepts_idempotency_key());
    quote! {
        pub(crate) static #name: Operation = Operation {
            id: #id,
            method: Method::#method,
            path: #path,
            key: KeyUse::#key,
            is_repeatable: #is_repeatable,
            keeps_idempotency_keys: #keeps_keys,
            successes: #first..=#last,
        };
    }
}

/// The builder of an operation. `body` is the type of its body.
pub(super) fn builder(
    method: &Method,
    operation: &Operation,
    document: &Document,
    body: Option<&ItemStruct>,
) -> Result<TokenStream> {
    let (builder, facts, response) =
        (format_ident!("{}", pascal(&operation.id)), constant(operation), &method.response);
    let mut setters = Vec::new();
    for (name, of) in &method.parameters {
        match (body, operation.parameter(&name.to_string())) {
            (_, Some(parameter)) if parameter.is_in_path() => {}
            (_, Some(parameter)) => setters.push(parameter_setter(name, of, parameter)?),
            (Some(body), None) if name == "body" => setters.extend(body_setters(body, document)),
            _ => bail!("progenitor's parameter `{name}` of `{}` is not in the document", operation.id),
        }
    }
    let said = format!(
        "Builder for [`Client::{0}`](crate::Client::{0}): `{1} {2}`.",
        method.name,
        operation.method.to_uppercase(),
        operation.path
    );
    let body = body.map(|body| &body.ident).map(|body| quote!(, body: types::#body));
    let items = operation.item(document)?.map(|item| format_ident!("{item}"));
    let items = items.map(|item| quote!(, items: types::#item));
    let setters = (!setters.is_empty()).then(|| quote!(impl<C> #builder<C> { #(#setters)* }));
    Ok(quote! {
        crate::shapes::operation! { #[doc = #said] #builder = #facts -> #response #body #items }
        #setters
    })
}

/// The setter of a parameter of the query or of a header.
fn parameter_setter(name: &Ident, of: &Type, parameter: &Parameter) -> Result<TokenStream> {
    let (wire, said) = (&parameter.name, parameter.description());
    let Some(of) = argument(of, "Option") else {
        bail!("the parameter `{wire}` is required, but not in the path: put it into the path, or make it optional");
    };
    let set = match &parameter.written {
        openapiv3::Parameter::Query { .. } => quote!(set_query),
        openapiv3::Parameter::Header { .. } => quote!(set_header),
        _ => bail!("the parameter `{wire}` is a cookie, but only path, query and header are supported"),
    };
    Ok(quote! {
        #[doc = #said]
        pub fn #name(mut self, value: impl crate::IntoOption<#of>) -> Self {
            self.call.#set(#wire, value.into_option());
            self
        }
    })
}

/// The setters of the body and of each of its fields.
fn body_setters<'a>(body: &'a ItemStruct, document: &'a Document) -> impl Iterator<Item = TokenStream> + 'a {
    let of = &body.ident;
    let whole = quote! {
        /// The whole body. Replaces the fields that were set before.
        pub fn body(mut self, body: types::#of) -> Self {
            self.body = body;
            self
        }
    };
    let fields = types::setters(body, document).map(|setter| {
        let name = &setter.name;
        setter.method(&quote!(self.body = self.body.#name(value);))
    });
    std::iter::once(whole).chain(fields)
}
