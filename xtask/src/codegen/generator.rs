//! Runs progenitor and reads its output: the types, and for each operation's method the name, the docs, the parameters with their types,
//! and the type of the response. It relies only on the signatures, not on the bodies.

use anyhow::{Context as _, Result, bail};
use proc_macro2::TokenStream;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, FnArg, Ident, ImplItem, ImplItemFn, Item, Pat, ReturnType, Type, parse_quote};

use super::document::Document;
use super::lower;
use super::schema::OPEN_VOCABULARY;

/// Progenitor's output for a document.
pub(super) struct Generated {
    /// The items of its module of types.
    pub(super) types: Vec<Item>,
    /// The methods of its client, one for each operation.
    pub(super) methods: Vec<Method>,
}

/// The method of an operation.
pub(super) struct Method {
    pub(super) name: Ident,
    pub(super) documentation: Vec<Attribute>,
    /// The parameters with their owned types, in progenitor's order.
    pub(super) parameters: Vec<(Ident, Type)>,
    pub(super) response: Type,
}

/// Runs a version of progenitor, given as its crate, on a document. A test runs another version.
macro_rules! tokens {
    ($progenitor:ident, $document:expr) => {{
        let document: &Document = $document;
        let lowered = lower::lower(document)?;
        let mut settings = $progenitor::GenerationSettings::new();
        settings.with_derive("PartialEq").with_map_type("::std::collections::BTreeMap");
        for (name, schema) in &document.schemas {
            let ours = format!("crate::generated::types::{name}");
            if schema.schema_data.extensions.contains_key(OPEN_VOCABULARY) {
                let traits = [$progenitor::TypeImpl::Display, $progenitor::TypeImpl::FromStr];
                settings.with_replacement(name, ours, traits.into_iter());
            } else if matches!(schema.schema_kind, openapiv3::SchemaKind::OneOf { .. }) {
                settings.with_replacement(name, ours, std::iter::empty());
            }
        }
        let tokens = $progenitor::Generator::new(&settings).generate_tokens(&lowered);
        tokens.context("progenitor does not accept the lowered document")
    }};
}

/// Runs progenitor on a document.
pub(super) fn generate(document: &Document) -> Result<Generated> {
    read(tokens!(progenitor_impl, document)?)
}

/// Runs the previous version of progenitor on a document.
#[cfg(test)]
pub(super) fn generate_by_0_14(document: &Document) -> Result<Generated> {
    read(tokens!(progenitor_impl_0_14, document)?)
}

/// Reads progenitor's output.
fn read(tokens: TokenStream) -> Result<Generated> {
    let file: syn::File = syn::parse2(tokens).context("progenitor's output is not Rust")?;
    let mut types = None;
    let mut methods = Vec::new();
    for item in file.items {
        match item {
            Item::Mod(module) if module.ident == "types" => types = module.content.map(|(_, items)| items),
            Item::Impl(client) if client.trait_.is_none() => {
                let of_operations = client.items.into_iter().filter_map(|item| match item {
                    ImplItem::Fn(method) if method.sig.asyncness.is_some() => Some(method),
                    _ => None,
                });
                for method in of_operations {
                    let name = method.sig.ident.to_string();
                    methods.push(read_method(method).with_context(|| format!("progenitor's method `{name}`"))?);
                }
            }
            _ => {}
        }
    }
    Ok(Generated { types: types.context("progenitor's output has no module `types`")?, methods })
}

fn read_method(method: ImplItemFn) -> Result<Method> {
    let mut parameters = Vec::new();
    for input in method.sig.inputs {
        if let FnArg::Typed(mut parameter) = input {
            let Pat::Ident(name) = *parameter.pat else { bail!("has a parameter without a name") };
            Owned.visit_type_mut(&mut parameter.ty);
            parameters.push((name.ident, *parameter.ty));
        }
    }
    let ReturnType::Type(_, result) = method.sig.output else { bail!("returns nothing") };
    let response = argument(&result, "Result").and_then(|response| argument(response, "ResponseValue"));
    let response = response.context("does not return `Result<ResponseValue<…>, …>`")?.clone();
    let documentation = method.attrs.into_iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    Ok(Method { name: method.sig.ident, documentation, parameters, response })
}

/// The first type argument of a type of that name, wherever the name's module is.
pub(super) fn argument<'a>(of: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(argument) => Some(argument),
        _ => None,
    })
}

/// Converts borrowed types to owned ones, because a builder keeps its arguments.
struct Owned;

impl VisitMut for Owned {
    fn visit_type_mut(&mut self, of: &mut Type) {
        if let Type::Reference(reference) = of {
            *of = (*reference.elem).clone();
        }
        if matches!(of, Type::Path(path) if path.path.is_ident("str")) {
            *of = parse_quote!(::std::string::String);
        }
        visit_mut::visit_type_mut(self, of);
    }
}
