//! The template of an operation: its method on the client, and the builder that composes a request and sends it. The hand-written
//! `sdk/src/call.rs` does the sending.

use anyhow::{Result, bail};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, ItemStruct, Type};

use super::document::Document;
use super::example;
use super::generator::{Method, argument};
use super::operation::{Operation, Parameter};
use super::types::{self, Setter};
use super::words::{pascal, snake};

/// The client's method for an operation.
pub(super) fn method(method: &Method, operation: &Operation, document: &Document) -> Result<TokenStream> {
    let (name, documentation) = (&method.name, &method.documentation);
    let builder = format_ident!("{}", pascal(&operation.id));
    let example = format!("\n{}", example::code(operation, operation.item(&document.schemas)?));
    let ids: Vec<_> = operation.in_path().map(|parameter| format_ident!("{}", snake(&parameter.name))).collect();
    Ok(quote! {
        #(#documentation)*
        #[doc = #example]
        pub fn #name(&self, #( #ids: impl ::std::convert::Into<String> ),*) -> builder::#builder<'_> {
            builder::#builder::new(self, #( #ids.into() ),*)
        }
    })
}

/// A part of a call beside the ids of its path: a parameter or the body.
struct Part {
    name: Ident,
    /// The builder's field for the part, and its initial value.
    of: TokenStream,
    initial: TokenStream,
    /// The setters of the part.
    setters: TokenStream,
    /// The stored value, in the form in which it is sent.
    ready: TokenStream,
    /// The code that adds it to the request.
    addition: TokenStream,
}

/// The builder of an operation. `body` is the type of its body.
pub(super) fn builder(
    method: &Method,
    operation: &Operation,
    document: &Document,
    body: Option<&ItemStruct>,
) -> Result<TokenStream> {
    let (builder, id, response) = (format_ident!("{}", pascal(&operation.id)), &operation.id, &method.response);
    let mut parts = Vec::new();
    let mut ids = Vec::new();
    for (name, of) in &method.parameters {
        parts.push(match (body, operation.parameter(&name.to_string())) {
            (_, Some(parameter)) if parameter.is_in_path() => {
                ids.push(name);
                continue;
            }
            (_, Some(parameter)) => parameter_part(name, of, parameter)?,
            (Some(body), None) if name == "body" => body_part(name, body, document),
            _ => bail!("progenitor's parameter `{name}` of `{id}` is not in the document"),
        });
    }
    let each = |part: fn(&Part) -> &TokenStream| parts.iter().map(part).collect::<Vec<_>>();
    let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let (types, initial, setters) = (each(|part| &part.of), each(|part| &part.initial), each(|part| &part.setters));
    let (ready, additions) = (each(|part| &part.ready), each(|part| &part.addition));
    let (http, url) = (format_ident!("{}", operation.method), url(operation));
    let (first, last) = operation.statuses;
    // Report all errors at once.
    let ids_in_path = operation.in_path().map(|parameter| &parameter.name);
    let given = (!method.parameters.is_empty()).then(|| {
        quote! {
            let mut faults = crate::invalid_request::Faults::default();
            #( let #ids = faults.take(crate::segment::encode_segment(#ids_in_path, &#ids)); )*
            #( let #names = faults.take(#ready); )*
            let given = match (#(#ids,)* #(#names,)*) {
                (#(Some(#ids),)* #(Some(#names),)*) => Some((#(#ids,)* #(#names,)*)),
                _ => None,
            };
            let (#(#ids,)* #(#names,)*) = faults.or(given).map_err(|refused| crate::call::refused(refused, #id))?;
        }
    });
    let changed = parts.iter().any(|part| !part.addition.is_empty()).then(|| quote!(mut));
    let said = format!("Builder for [`Client::{0}`]\n\n[`Client::{0}`]: super::Client::{0}", method.name);
    let sends = format!("Sends a `{}` request to `{}`{ERRORS}", operation.method.to_uppercase(), operation.path);
    let paged = operation.item(&document.schemas)?.map(|item| {
        let item = format_ident!("{item}");
        quote!(crate::shapes::paged! { #builder: #response, types::#item })
    });
    Ok(quote! {
        #[doc = #said]
        #[derive(Debug, Clone)]
        #[must_use = "a request does nothing until it is sent"]
        pub struct #builder<'a> {
            pub(crate) client: &'a super::Client,
            #( #ids: String, )*
            #( pub(crate) #names: #types, )*
        }
        impl<'a> #builder<'a> {
            pub(crate) fn new(client: &'a super::Client, #( #ids: String ),*) -> Self {
                Self { client, #(#ids,)* #( #names: #initial, )* }
            }
            #(#setters)*
            #[doc = #sends]
            pub async fn send(self) -> ::std::result::Result<crate::Response<#response>, crate::Error> {
                let Self { client, #(#ids,)* #(#names,)* } = self;
                #given
                let build = || -> ::std::result::Result<::reqwest::Request, crate::Error> {
                    let #changed request = client.client.#http(#url);
                    #(#additions)*
                    crate::request_template::request(request)
                };
                let response = crate::call::send(client, #id, &build).await?;
                crate::Response::decode(response.expecting(#first..=#last)?)
            }
        }
        #paged
    })
}

/// The documentation of `send`'s errors.
const ERRORS: &str = "

# Errors

See [`crate::Error`]: a request that is refused before it is sent, a failed or timed out connection,
an error response, a response that cannot be read.";

/// A parameter of the query or a header.
fn parameter_part(name: &Ident, of: &Type, parameter: &Parameter) -> Result<Part> {
    let wire = &parameter.name;
    if argument(of, "Option").is_none() {
        bail!("the parameter `{wire}` is required, but not in the path: put it into the path, or make it optional");
    }
    let add = match parameter.place.as_str() {
        "query" => quote!(request = request.query(&[(#wire, value)]);),
        "header" => quote!(request = request.header(#wire, value.clone());),
        place => bail!("the parameter `{wire}` is in the {place}, but only path, query and header are supported"),
    };
    let is_header = parameter.place == "header";
    let kind = if is_header { quote!(Header) } else { quote!(Parameter) };
    let setter = Setter {
        name: name.clone(),
        said: parameter.description.clone(),
        of: of.clone(),
        place: quote!(crate::invalid_request::Place::#kind(#wire)),
        letter: format_ident!("V"),
    };
    let ready = if is_header {
        quote!(#name.and_then(|value| value.map(|value| crate::bounds::header(#wire, &value)).transpose()))
    } else {
        quote!(#name)
    };
    Ok(Part {
        name: name.clone(),
        of: quote!(crate::bounds::Given<#of>),
        initial: quote!(Ok(None)),
        setters: setter.of_field(),
        ready,
        addition: quote!(if let Some(value) = &#name { #add }),
    })
}

/// The body; its members can be set directly.
fn body_part(name: &Ident, body: &ItemStruct, document: &Document) -> Part {
    let of = &body.ident;
    let setters = types::setters(body, document).map(|setter| setter.of_body());
    Part {
        name: name.clone(),
        of: quote!(types::builder::#of),
        initial: quote!(::std::default::Default::default()),
        setters: quote! {
            /// The whole body, or a builder of it.
            pub fn body(mut self, value: impl ::std::convert::Into<types::builder::#of>) -> Self {
                self.body = value.into();
                self
            }
            /// Changes the body.
            pub fn body_map<F>(mut self, f: F) -> Self
            where
                F: std::ops::FnOnce(types::builder::#of) -> types::builder::#of,
            {
                self.body = f(self.body);
                self
            }
            #(#setters)*
        },
        ready: quote!(types::#of::try_from(body)),
        addition: quote!(request = request.json(&body);),
    }
}

/// The URL of an operation, as an expression.
fn url(operation: &Operation) -> TokenStream {
    let mut path = format!("{{}}{}", operation.path);
    let mut ids: Vec<(usize, Ident)> = Vec::new();
    for parameter in operation.in_path() {
        let place = format!("{{{}}}", parameter.name);
        ids.extend(operation.path.find(&place).map(|at| (at, format_ident!("{}", snake(&parameter.name)))));
        path = path.replace(&place, "{}");
    }
    ids.sort_by_key(|(at, _)| *at);
    let ids = ids.iter().map(|(_, name)| name);
    quote!(format!(#path, client.baseurl, #(#ids),*))
}
