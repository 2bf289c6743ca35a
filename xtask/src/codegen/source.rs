//! The whole generated file: progenitor's types with additions, the client's methods, and the builders of operations.

use anyhow::{Context as _, Result};
use quote::quote;
use syn::{File, Item};

use super::document::Document;
use super::generator::{self, Generated};
use super::operation::Operation;
use super::words::snake;
use super::{builder, personal, shapes, types};

/// The head of the generated file.
const HEADER: &str = "\
// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. Requests are put together here, and sent in `call`.
";

/// The text of the SDK's generated file for the text of a document.
pub(super) fn generated_source(text: &str) -> Result<String> {
    let document = Document::parse(text)?;
    source(&document, generator::generate(&document)?)
}

/// Returns the text of the file for progenitor's output.
pub(super) fn source(document: &Document, Generated { types: mut items, methods }: Generated) -> Result<String> {
    types::finish(&mut items, document);
    let request_builders = types::builders(&items, document);
    let (mut client, mut builders) = (Vec::new(), Vec::new());
    for method in &methods {
        let operation = document.operations.iter().find(|operation| method.name == snake(&operation.id));
        let operation =
            operation.with_context(|| format!("progenitor's method `{}` is not in the document", method.name))?;
        let body = operation.body.as_ref().and_then(|body| structure(&items, body));
        client.push(builder::method(method, operation, document)?);
        builders.push(builder::builder(method, operation, document, body)?);
    }
    personal::hide(&mut items, document);
    let shapes = shapes::items(document)?;
    let ids = |wanted: fn(&Operation) -> bool| {
        let found = document.operations.iter().filter(move |operation| wanted(operation));
        found.map(|operation| operation.id.clone()).collect::<Vec<_>>()
    };
    let (accepting, repeatable) = (ids(Operation::accepts_idempotency_key), ids(Operation::is_repeatable));
    let without_key = ids(Operation::needs_no_key);
    let file: File = syn::parse2(quote! {
        #![allow(
            clippy::all,
            clippy::pedantic,
            clippy::allow_attributes,
            clippy::allow_attributes_without_reason,
            missing_docs,
            missing_debug_implementations,
            unused_qualifications,
            unreachable_pub,
            reason = "generated code"
        )]
        /// Types used as operation parameters and responses.
        pub mod types {
            #(#items)*
            #shapes
            #request_builders
        }
        #[derive(Clone, Debug)]
        #[doc = include_str!("client.md")]
        pub struct Client {
            pub(crate) baseurl: String,
            pub(crate) client: reqwest::Client,
            pub(crate) inner: crate::settings::Settings,
        }
        impl Client {
            #(#client)*
        }
        /// Types for composing operation parameters.
        pub mod builder {
            use super::types::{self, *};
            #(#builders)*
        }
        /// The operations by whose idempotency key a server recognises a repeated request.
        pub(crate) const ACCEPT_IDEMPOTENCY_KEY: &[&str] = &[#(#accepting),*];
        /// The operations that may be repeated: doing so has the effect of one call.
        pub(crate) const REPEATABLE: &[&str] = &[#(#repeatable),*];
        /// The operations that are called without a key, and never with one.
        pub(crate) const WITHOUT_KEY: &[&str] = &[#(#without_key),*];
    })?;
    Ok(format!("{HEADER}\n{}", prettyplease::unparse(&file)))
}

/// The structure of a name.
fn structure<'a>(types: &'a [Item], name: &str) -> Option<&'a syn::ItemStruct> {
    types.iter().find_map(|item| match item {
        Item::Struct(structure) if structure.ident == name => Some(structure),
        _ => None,
    })
}
