//! The whole generated file: progenitor's types with additions, the client's methods, and the builders of operations.

use anyhow::{Context as _, Result};
use quote::quote;
use syn::punctuated::Pair;
use syn::visit_mut::{self, VisitMut};
use syn::{File, Item, Path};

use super::document::Document;
use super::generator::{self, Generated};
use super::words::snake;
use super::{builder, personal, shapes, types};

/// The head of the generated file.
const HEADER: &str = "\
// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. `call` composes and sends requests.
";

/// The text of the SDK's generated file for the text of a document.
pub(super) fn generated_source(text: &str) -> Result<String> {
    let document = Document::parse(text)?;
    source(&document, generator::generate(&document)?)
}

/// Returns the text of the file for progenitor's output.
pub(super) fn source(document: &Document, Generated { types: mut items, methods }: Generated) -> Result<String> {
    types::finish(&mut items, document);
    let requests = types::requests(&items, document);
    let (mut client, mut blocking, mut builders) = (Vec::new(), Vec::new(), Vec::new());
    for method in &methods {
        let operation = document.operations.iter().find(|operation| method.name == snake(&operation.id));
        let operation =
            operation.with_context(|| format!("progenitor's method `{}` is not in the document", method.name))?;
        let body = operation.body.as_ref().and_then(|body| structure(&items, body));
        let (asynchronous, waiting) = builder::methods(method, operation, document)?;
        client.push(asynchronous);
        blocking.push(waiting);
        builders.push(builder::builder(method, operation, document, body)?);
    }
    personal::hide(&mut items, document);
    let shapes = shapes::items(document)?;
    let facts = document.operations.iter().map(builder::facts);
    let constants: Vec<_> = document.operations.iter().map(builder::constant).collect();
    let count = constants.len();
    let mut file: File = syn::parse2(quote! {
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
            #requests
        }
        impl crate::Client {
            #(#client)*
        }
        #[cfg(feature = "blocking")]
        impl crate::blocking::Client {
            #(#blocking)*
        }
        /// Builders of requests, one for each operation.
        pub mod builder {
            use super::types::{self, *};
            #(#builders)*
        }
        /// The facts about each operation that calls need.
        pub(crate) mod facts {
            use ::http::Method;
            use crate::operation::{KeyUse, Operation};
            #(#facts)*
            /// All operations.
            #[cfg(feature = "test-util")]
            pub(crate) static ALL: [&Operation; #count] = [#(&#constants),*];
        }
    })?;
    Prelude.visit_file_mut(&mut file);
    Ok(format!("{HEADER}\n{}", prettyplease::unparse(&file)))
}

/// Shortens the paths of names that are in every module, and that no schema has.
struct Prelude;

impl VisitMut for Prelude {
    fn visit_path_mut(&mut self, path: &mut Path) {
        let last = path.segments.last().filter(|_| path.leading_colon.is_some()).map(|last| last.ident.to_string());
        if last.is_some_and(|last| ["Option", "String", "Vec", "Into", "IntoIterator"].contains(&last.as_str()))
            && path.segments.len() == 3
        {
            path.leading_colon = None;
            path.segments = path.segments.pop().into_iter().map(Pair::into_value).collect();
        }
        visit_mut::visit_path_mut(self, path);
    }
}

/// The structure of a name.
fn structure<'a>(types: &'a [Item], name: &str) -> Option<&'a syn::ItemStruct> {
    types.iter().find_map(|item| match item {
        Item::Struct(structure) if structure.ident == name => Some(structure),
        _ => None,
    })
}
