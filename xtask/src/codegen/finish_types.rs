//! The changes to the generated types: builders are kept for what is sent and dropped for what is received, decoding
//! is made tolerant, and additions to the document do not break users.

use std::collections::BTreeSet;

use quote::ToTokens as _;
use syn::{Attribute, Fields, ImplItem, Item, ItemStruct, parse_quote};

use super::lower::Lowered;
use super::words::snake;
use super::{finish_setters, finish_tolerance};

/// Changes the items of the module of types.
pub(super) fn finish(items: &mut Vec<Item>, lowered: &Lowered) {
    items.retain(|item| !is_response_builder(item, &lowered.requests));
    let maps = finish_tolerance::maps(items);
    for item in &mut *items {
        match item {
            Item::Struct(structure) => {
                tidy_docs(&mut structure.attrs);
                describe_members(structure, lowered);
                finish_tolerance::make_tolerant(
                    structure,
                    lowered.lenient.contains(&structure.ident.to_string()),
                    &maps,
                );
                if matches!(structure.fields, Fields::Named(_)) {
                    structure.attrs.push(parse_quote!(#[non_exhaustive]));
                }
            }
            Item::Enum(enumeration) => {
                tidy_docs(&mut enumeration.attrs);
                enumeration.attrs.push(parse_quote!(#[non_exhaustive]));
            }
            Item::Impl(implementation) => {
                let target = implementation.self_ty.to_token_stream().to_string();
                if lowered.requests.contains(&target) {
                    finish_setters::document_entrance(implementation);
                } else {
                    drop_builder_method(implementation);
                }
            }
            Item::Mod(module) if module.ident == "builder" => {
                if let Some((_, builders)) = &mut module.content {
                    builders.retain(|item| mentions_request(item, &lowered.requests));
                    for item in builders {
                        check_before_use(item, lowered);
                        finish_setters::ease(item);
                        finish_setters::document(item, lowered);
                    }
                }
            }
            _ => {}
        }
    }
    items.extend(finish_tolerance::empty_maps(&maps));
    items.retain(|item| !matches!(item, Item::Impl(empty) if empty.trait_.is_none() && empty.items.is_empty()));
}

/// Whether an item converts between a received type and its builder.
fn is_response_builder(item: &Item, requests: &BTreeSet<String>) -> bool {
    let Item::Impl(implementation) = item else {
        return false;
    };
    let text = implementation.trait_.to_token_stream_text();
    let target = implementation.self_ty.to_token_stream().to_string();
    (text.contains("builder ::") || target.contains("builder ::")) && !mentions_any(&(text + &target), requests)
}

/// Whether an item of the module of builders belongs to a type that is sent.
fn mentions_request(item: &Item, requests: &BTreeSet<String>) -> bool {
    match item {
        Item::Struct(structure) => requests.contains(&structure.ident.to_string()),
        Item::Impl(implementation) => {
            let text = implementation.trait_.to_token_stream_text();
            mentions_any(&(text + &implementation.self_ty.to_token_stream().to_string()), requests)
        }
        _ => true,
    }
}

/// Whether a text of tokens has one of the names in it as a word.
fn mentions_any(text: &str, names: &BTreeSet<String>) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| names.contains(word))
}

/// The text of the trait of an implementation.
trait TraitText {
    fn to_token_stream_text(&self) -> String;
}

impl TraitText for Option<(Option<syn::Token![!]>, syn::Path, syn::Token![for])> {
    fn to_token_stream_text(&self) -> String {
        self.as_ref().map_or_else(String::new, |(_, path, _)| path.to_token_stream().to_string() + " ")
    }
}

/// Drops `builder()` from an implementation.
fn drop_builder_method(implementation: &mut syn::ItemImpl) {
    implementation.items.retain(|item| !matches!(item, ImplItem::Fn(method) if method.sig.ident == "builder"));
}

/// Lets a builder check the bounds of what it has built.
fn check_before_use(item: &mut Item, lowered: &Lowered) {
    let Item::Impl(implementation) = item else {
        return;
    };
    let target = implementation.self_ty.to_token_stream().to_string();
    let is_bounded = lowered.bounds.iter().any(|bounds| target == format!("super :: {}", bounds.schema));
    for item in implementation.items.iter_mut().filter(|_| is_bounded) {
        if let ImplItem::Fn(method) = item
            && method.sig.ident == "try_from"
        {
            let built = &method.block;
            method.block = parse_quote!({
                let built: ::std::result::Result<Self, super::error::ConversionError> = #built;
                let built = built?;
                built.check()?;
                Ok(built)
            });
        }
    }
}

/// Keeps what the document says of a type and drops the schema that the generator appends to it.
fn tidy_docs(attributes: &mut Vec<Attribute>) {
    for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("doc")) {
        if let syn::Meta::NameValue(doc) = &mut attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &mut doc.value
            && let Some((kept, _)) = text.value().split_once("<details>")
        {
            *text = syn::LitStr::new(kept.trim_end(), text.span());
        }
    }
    attributes.retain(|attribute| attribute.to_token_stream().to_string() != "# [doc = \"\"]");
}

/// Gives the members that have no description the one that their reference has lost.
fn describe_members(structure: &mut ItemStruct, lowered: &Lowered) {
    let schema = structure.ident.to_string();
    for field in &mut structure.fields {
        let described = field.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
        let Some(name) = field.ident.as_ref().map(ToString::to_string) else {
            continue;
        };
        let name = name.trim_end_matches('_');
        let text = lowered.descriptions.iter().find(|((of, member), _)| *of == schema && snake(member) == name);
        if let (false, Some((_, text))) = (described, text) {
            field.attrs.insert(0, parse_quote!(#[doc = #text]));
        }
    }
}

/// The setters of the builders of sent types, by type, so that an operation can offer them directly.
pub(super) fn request_setters(items: &[Item], lowered: &Lowered) -> Vec<(String, syn::ImplItemFn)> {
    let builders = items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == "builder" => module.content.as_ref().map(|(_, items)| items),
        _ => None,
    });
    let mut setters = Vec::new();
    for item in builders.into_iter().flatten() {
        let Item::Impl(implementation) = item else {
            continue;
        };
        let target = implementation.self_ty.to_token_stream().to_string();
        if implementation.trait_.is_some() || !lowered.requests.contains(&target) {
            continue;
        }
        for item in &implementation.items {
            if let ImplItem::Fn(method) = item {
                setters.push((target.clone(), method.clone()));
            }
        }
    }
    setters
}
