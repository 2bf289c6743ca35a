//! Additions to progenitor's types: decoding is tolerant, additions to the document do not break users, and requests have setters and
//! check the document's bounds.

use openapiv3::Type as Kind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Attribute, Field, Fields, Ident, Item, ItemEnum, ItemStruct, Meta, Token, Type, parse_quote};

use super::bounds;
use super::document::Document;
use super::generator::argument;
use super::lower::CORE_REQUIRED;
use super::schema::{kind, map, map_values, object, texts};

/// Finishes the items of the module of types.
pub(super) fn finish(types: &mut [Item], document: &Document) {
    for item in types {
        describe(item, document);
        match item {
            Item::Struct(structure) if matches!(structure.fields, Fields::Named(_)) => {
                let schema = structure.ident.to_string();
                for field in &mut structure.fields {
                    finish_field(field, &schema, document);
                }
                structure.attrs.push(parse_quote!(#[non_exhaustive]));
            }
            // A map; an empty one stands for `null`.
            Item::Struct(map) => map.attrs.push(parse_quote!(#[derive(Default)])),
            Item::Enum(enumeration) => enumeration.attrs.push(parse_quote!(#[non_exhaustive])),
            _ => {}
        }
    }
}

/// Sets a type's documentation to the document's description; some progenitors append the whole schema.
fn describe(item: &mut Item, document: &Document) {
    let (Item::Struct(ItemStruct { attrs, ident, .. }) | Item::Enum(ItemEnum { attrs, ident, .. })) = item else {
        return;
    };
    let schema = document.schemas.get(&ident.to_string());
    if let Some(said) = schema.and_then(|schema| schema.schema_data.description.as_ref()) {
        attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        attrs.insert(0, parse_quote!(#[doc = #said]));
    }
}

fn finish_field(field: &mut Field, schema: &str, document: &Document) {
    let Some(name) = field.ident.as_ref().map(ToString::to_string) else { return };
    let Some((member, part)) = document.member(schema, &name) else { return };
    let is_described = field.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
    if let (false, Some(said)) = (is_described, document.description(part)) {
        field.attrs.insert(0, parse_quote!(#[doc = #said]));
    }
    let core = texts(&document.schemas[schema], CORE_REQUIRED);
    let meaning = document.meaning(part);
    let is_collection = matches!(meaning.and_then(kind), Some(Kind::Array(_))) || meaning.and_then(map).is_some();
    if core.is_some_and(|promised| !promised.contains(&member)) {
        let default = (!has_default(&field.attrs)).then(|| quote!(default,));
        field.attrs.push(parse_quote!(#[serde(#default deserialize_with = "crate::lenient::readable_or_default")]));
    } else if is_collection && argument(&field.ty, "Option").is_none() {
        field.attrs.push(parse_quote!(#[serde(deserialize_with = "crate::lenient::null_as_empty")]));
    }
}

/// Returns true if a field already has a default: serde rejects a second one.
fn has_default(attributes: &[Attribute]) -> bool {
    let serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    let mut said =
        serde.filter_map(|attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok());
    said.any(|list| list.iter().any(|meta| meta.path().is_ident("default")))
}

/// Returns the setters and the checks of the types of requests.
pub(super) fn requests(types: &[Item], document: &Document) -> TokenStream {
    let requests = document.requests();
    let sent = types.iter().filter_map(|item| match item {
        Item::Struct(structure) if requests.contains(&structure.ident.to_string()) => Some(structure),
        _ => None,
    });
    let (maps, objects): (Vec<_>, Vec<_>) = sent.partition(|structure| matches!(structure.fields, Fields::Unnamed(_)));
    let of_texts = |name: &&Ident| {
        let values = document.schemas.get(&name.to_string()).and_then(map).and_then(map_values);
        matches!(values.and_then(|values| kind(document.meaning(values)?)), Some(Kind::String(_)))
    };
    let maps = maps.into_iter().map(|map| &map.ident).filter(of_texts);
    let names = objects.iter().map(|structure| &structure.ident);
    let values = (!objects.is_empty()).then(|| quote!(crate::optional::into_option! { exactly #(#names),*; }));
    let objects = objects.iter().map(|structure| request(structure, document));
    quote! {
        #( crate::shapes::map_of_texts! { #maps } )*
        #values
        #(#objects)*
    }
}

/// The setters and the checks of one type.
fn request(structure: &ItemStruct, document: &Document) -> TokenStream {
    let name = &structure.ident;
    let checks = bounds::checks(document, &document.schemas[&name.to_string()]);
    let setters = setters(structure, document).map(|setter| {
        let name = &setter.name;
        let value = setter.value();
        setter.method(&quote!(self.#name = #value;))
    });
    quote! {
        impl #name {
            /// Returns a value with nothing set.
            pub fn new() -> Self {
                Self::default()
            }
            /// Checks the bounds of the document, as sending does.
            pub fn check(&self) -> ::std::result::Result<(), crate::InvalidRequest> {
                crate::bounds::check(self)
            }
            #(#setters)*
        }
        impl crate::bounds::Bounded for #name {
            fn find_faults(&self, check: &mut crate::bounds::Check<'_>) {
                #(#checks)*
            }
        }
    }
}

/// A setter of a field.
pub(super) struct Setter {
    pub(super) name: Ident,
    /// The document's description of the field.
    said: String,
    of: Type,
    is_required: bool,
}

impl Setter {
    /// Returns the setter with its effect. An optional one takes a value or an `Option`, and a list takes all that can be iterated.
    pub(super) fn method(&self, effect: &TokenStream) -> TokenStream {
        let Self { name, said, of, .. } = self;
        let of = argument(of, "Option").unwrap_or(of);
        let value = match argument(of, "Vec") {
            Some(item) => quote!(::std::iter::IntoIterator<Item: ::std::convert::Into<#item>>),
            None if self.is_required => quote!(::std::convert::Into<#of>),
            None => quote!(crate::IntoOption<#of>),
        };
        quote! {
            #[doc = #said]
            pub fn #name(mut self, value: impl #value) -> Self {
                #effect
                self
            }
        }
    }

    /// Returns the value of the field, from the argument of its setter.
    fn value(&self) -> TokenStream {
        if argument(&self.of, "Vec").is_some() {
            quote!(value.into_iter().map(::std::convert::Into::into).collect())
        } else if self.is_required {
            quote!(Some(value.into()))
        } else {
            quote!(value.into_option())
        }
    }
}

/// The setters of a schema's members.
pub(super) fn setters<'a>(structure: &'a ItemStruct, document: &'a Document) -> impl Iterator<Item = Setter> + 'a {
    let schema = structure.ident.to_string();
    structure.fields.iter().filter_map(move |field| {
        let name = field.ident.clone()?;
        let (member, part) = document.member(&schema, &name.to_string())?;
        let said = document.description(part).unwrap_or_default().to_owned();
        let is_required = object(&document.schemas[&schema])?.required.iter().any(|required| required == member);
        Some(Setter { name, said, of: field.ty.clone(), is_required })
    })
}
