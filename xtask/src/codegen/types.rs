//! Additions to progenitor's types: decoding is tolerant, additions to the document do not break users, and requests have builders that
//! check the document's bounds.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Field, Fields, Ident, Item, ItemEnum, ItemStruct, Meta, Token, Type, TypePath, parse_quote};

use super::bounds;
use super::document::Document;
use super::generator::argument;
use super::json::{is_map, text, texts};
use super::lower::CORE_REQUIRED;
use super::personal;
use super::words::snake;

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
    if let Some(said) = document.schemas.get(&ident.to_string()).and_then(|schema| text(schema, "description")) {
        attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        attrs.insert(0, parse_quote!(#[doc = #said]));
    }
}

fn finish_field(field: &mut Field, schema: &str, document: &Document) {
    let Some(name) = field.ident.as_ref().map(ToString::to_string) else { return };
    let Some((member, written)) = document.member(schema, &name) else { return };
    let is_described = field.attrs.iter().any(|attribute| attribute.path().is_ident("doc"));
    if let (false, Some(said)) = (is_described, document.description(written)) {
        field.attrs.insert(0, parse_quote!(#[doc = #said]));
    }
    let core = &document.schemas[schema];
    let is_option = argument(&field.ty, "Option").is_some();
    let meaning = document.meaning(written);
    if core.get(CORE_REQUIRED).is_some() && texts(core, CORE_REQUIRED).all(|promised| promised != member) {
        if !has_default(&field.attrs) {
            field.attrs.push(parse_quote!(#[serde(default)]));
        }
        field.attrs.push(parse_quote!(#[serde(deserialize_with = "crate::lenient::readable_or_default")]));
    } else if !is_option && (is_map(meaning) || text(meaning, "type") == Some("array")) {
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

/// Returns the constructors of builders for requests, the checks of bounds, and the module of builders.
pub(super) fn builders(types: &[Item], document: &Document) -> TokenStream {
    let requests = document.requests();
    let sent = types.iter().filter_map(|item| match item {
        Item::Struct(structure) if requests.contains(&structure.ident.to_string()) => Some(structure),
        _ => None,
    });
    let (maps, objects): (Vec<_>, Vec<_>) = sent.partition(|structure| matches!(structure.fields, Fields::Unnamed(_)));
    let maps = maps.into_iter().filter(|map| {
        let schema = &document.schemas[&map.ident.to_string()];
        schema.pointer("/additionalProperties/type").and_then(Value::as_str) == Some("string")
    });
    let maps = maps.map(|map| &map.ident);
    let names: Vec<_> = objects.iter().map(|structure| &structure.ident).collect();
    let builders = objects.iter().map(|structure| builder(structure, document));
    quote! {
        #( crate::shapes::map_of_texts! { #maps } )*
        #(
            impl #names {
                /// A builder with nothing set.
                pub fn builder() -> builder::#names {
                    Default::default()
                }
            }
        )*
        /// Types for composing complex structures.
        pub mod builder {
            #(#builders)*
        }
    }
}

/// The builder of one schema.
fn builder(structure: &ItemStruct, document: &Document) -> TokenStream {
    let name = &structure.ident;
    let schema = &document.schemas[&name.to_string()];
    // The module of builders has builders of the same names.
    let mut structure = structure.clone();
    Qualified(document).visit_item_struct_mut(&mut structure);
    let structure = &structure;
    let setters: Vec<Setter> = setters(structure, document).collect();
    let fields: Vec<_> = setters.iter().map(|setter| &setter.name).collect();
    let types = structure.fields.iter().map(|field| &field.ty);
    let checks: Vec<_> = bounds::checks(document, &name.to_string()).collect();
    let initial = structure.fields.iter().zip(&setters).map(|(field, Setter { name, place, .. })| {
        let is_list = argument(&field.ty, "Vec").is_some();
        let is_needed = texts(schema, "required").any(|member| *name == snake(member));
        let is_absent = argument(&field.ty, "Option").is_some() || (is_list && !is_needed);
        if is_absent { quote!(Ok(Default::default())) } else { quote!(Err(#place.missing())) }
    });
    let methods = setters.iter().map(Setter::of_field);
    let said = format!("Builds a [`{name}`](super::{name}).");
    let (derived, hidden) = if personal::is_in(document, &name.to_string()) {
        (vec![quote!(Clone)], personal::hidden(name))
    } else {
        (vec![quote!(Clone), quote!(Debug)], TokenStream::new())
    };
    quote! {
        #[derive(#(#derived),*)]
        #[doc = #said]
        #[must_use = "a builder does nothing until it is sent or converted"]
        pub struct #name {
            #( #fields: crate::bounds::Given<#types>, )*
        }
        #hidden
        impl ::std::default::Default for #name {
            fn default() -> Self {
                Self { #( #fields: #initial, )* }
            }
        }
        impl #name {
            #(#methods)*
        }
        impl ::std::convert::TryFrom<#name> for super::#name {
            type Error = crate::InvalidRequest;
            fn try_from(value: #name) -> ::std::result::Result<Self, crate::InvalidRequest> {
                let mut faults = crate::invalid_request::Faults::default();
                #( let #fields = faults.take(value.#fields); )*
                #(#checks)*
                let request = match (#(#fields,)*) {
                    (#(Some(#fields),)*) => Some(Self { #(#fields,)* }),
                    _ => None,
                };
                faults.or(request)
            }
        }
        impl ::std::convert::From<super::#name> for #name {
            fn from(value: super::#name) -> Self {
                Self { #( #fields: Ok(value.#fields), )* }
            }
        }
    }
}

/// Names the types of schemas from inside of the module of builders.
struct Qualified<'a>(&'a Document);

impl VisitMut for Qualified<'_> {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        if let Some(name) = path.path.get_ident().filter(|name| self.0.schemas.contains_key(&name.to_string())) {
            path.path = parse_quote!(super::#name);
        }
        visit_mut::visit_type_path_mut(self, path);
    }
}

/// A setter of a builder.
pub(super) struct Setter {
    pub(super) name: Ident,
    /// The document's description of the field.
    pub(super) said: String,
    pub(super) of: Type,
    /// The field's place in the request, for error messages.
    pub(super) place: TokenStream,
    /// Name of the generic parameter.
    pub(super) letter: Ident,
}

impl Setter {
    /// The setter of a field of the same name: an optional one takes its value, not an `Option`, and a list whatever can be walked over.
    pub(super) fn of_field(&self) -> TokenStream {
        let Self { name, place, .. } = self;
        if argument(&self.of, "Vec").is_some() {
            return self.method(
                &quote!(mut self),
                &quote! {
                    self.#name = Ok(value.into_iter().map(::std::convert::Into::into).collect());
                    self
                },
            );
        }
        let optional = argument(&self.of, "Option").map(|_| quote!(.map(Some)));
        self.method(
            &quote!(mut self),
            &quote! {
                self.#name = crate::bounds::converted(#place, value) #optional;
                self
            },
        )
    }

    /// Returns the same setter on the operation whose body contains the field.
    pub(super) fn of_body(&self) -> TokenStream {
        let name = &self.name;
        self.method(&quote!(self), &quote!(self.body_map(|body| body.#name(value))))
    }

    fn method(&self, receiver: &TokenStream, block: &TokenStream) -> TokenStream {
        let Self { name, said, of, letter, .. } = self;
        let bounds = if let Some(item) = argument(of, "Vec") {
            quote!(#letter: ::std::iter::IntoIterator, #letter::Item: ::std::convert::Into<#item>)
        } else {
            let of = argument(of, "Option").unwrap_or(of);
            quote!(#letter: ::std::convert::TryInto<#of>, #letter::Error: ::std::fmt::Display)
        };
        quote! {
            #[doc = #said]
            pub fn #name<#letter>(#receiver, value: #letter) -> Self where #bounds {
                #block
            }
        }
    }
}

/// The setters of a schema's members.
pub(super) fn setters<'a>(structure: &'a ItemStruct, document: &'a Document) -> impl Iterator<Item = Setter> + 'a {
    let schema = structure.ident.to_string();
    structure.fields.iter().filter_map(move |field| {
        let name = field.ident.clone()?;
        let (member, written) = document.member(&schema, &name.to_string())?;
        let said = document.description(written).unwrap_or_default().to_owned();
        let place = quote!(crate::invalid_request::Place::Member(#member));
        Some(Setter { name, said, of: field.ty.clone(), place, letter: format_ident!("T") })
    })
}
