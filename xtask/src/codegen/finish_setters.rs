//! The setters of request builders: an optional member takes its value, not an `Option`, and a list takes anything
//! that can be walked over.

use quote::{ToTokens as _, format_ident};
use syn::{
    GenericArgument, ImplItem, ImplItemFn, Item, PathArguments, Type, TypeParamBound, WherePredicate, parse_quote,
};

use super::lower::Lowered;
use super::words::snake;

/// Rewrites the setters of one builder.
pub(super) fn ease(item: &mut Item) {
    let Item::Impl(implementation) = item else {
        return;
    };
    if implementation.trait_.is_some() {
        return;
    }
    for item in &mut implementation.items {
        if let ImplItem::Fn(setter) = item
            && let Some(target) = target(setter)
        {
            if let Some(value) = argument_of(&target, "Option") {
                *setter = optional_setter(setter, &value);
            } else if let Some(value) = argument_of(&target, "Vec") {
                *setter = list_setter(setter, &value);
            }
        }
    }
}

/// Gives a builder, or each of its setters, the description of what it builds or sets.
pub(super) fn document(item: &mut Item, lowered: &Lowered) {
    match item {
        Item::Struct(builder) => {
            let text = format!("Builds a [`{0}`](super::{0}).", builder.ident);
            builder.attrs.push(parse_quote!(#[doc = #text]));
            builder.attrs.push(parse_quote!(#[must_use = "a builder does nothing until it is sent or converted"]));
        }
        Item::Impl(implementation) if implementation.trait_.is_none() => {
            let schema = implementation.self_ty.to_token_stream().to_string();
            for item in &mut implementation.items {
                let ImplItem::Fn(setter) = item else { continue };
                let name = setter.sig.ident.to_string();
                let text = lowered.descriptions.iter().find(|((of, member), _)| *of == schema && snake(member) == name);
                if let Some((_, text)) = text {
                    setter.attrs.push(parse_quote!(#[doc = #text]));
                }
            }
        }
        _ => {}
    }
}

/// Says what the way into a builder is.
pub(super) fn document_entrance(implementation: &mut syn::ItemImpl) {
    for item in &mut implementation.items {
        if let ImplItem::Fn(method) = item
            && method.sig.ident == "builder"
        {
            method.attrs.push(parse_quote!(#[doc = "A builder with nothing set."]));
        }
    }
}

/// A setter for an optional member.
fn optional_setter(setter: &ImplItemFn, value: &Type) -> ImplItemFn {
    let name = &setter.sig.ident;
    let message = format!("error converting supplied value for {name}: {{e}}");
    parse_quote! {
        pub fn #name<T>(mut self, value: T) -> Self
        where
            T: ::std::convert::TryInto<#value>,
            T::Error: ::std::fmt::Display,
        {
            self.#name = value.try_into().map(Some).map_err(|e| format!(#message));
            self
        }
    }
}

/// A setter for a list.
fn list_setter(setter: &ImplItemFn, item: &Type) -> ImplItemFn {
    let name = &setter.sig.ident;
    parse_quote! {
        pub fn #name<T>(mut self, value: T) -> Self
        where
            T: ::std::iter::IntoIterator,
            T::Item: ::std::convert::Into<#item>,
        {
            self.#name = Ok(value.into_iter().map(::std::convert::Into::into).collect());
            self
        }
    }
}

/// The `X` of a setter's `T: TryInto<X>`.
fn target(setter: &ImplItemFn) -> Option<Type> {
    let bounds = setter.sig.generics.where_clause.as_ref()?;
    bounds.predicates.iter().find_map(|predicate| {
        let WherePredicate::Type(predicate) = predicate else {
            return None;
        };
        predicate.bounds.iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => argument(bound.path.segments.last()?, "TryInto"),
            _ => None,
        })
    })
}

/// The `X` of a type `name<X>`, wherever the name's module is.
fn argument_of(of: &Type, name: &str) -> Option<Type> {
    let Type::Path(path) = of else { return None };
    argument(path.path.segments.last()?, name)
}

/// The first type argument of a segment of that name.
fn argument(segment: &syn::PathSegment, name: &str) -> Option<Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    if segment.ident != format_ident!("{name}") {
        return None;
    }
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(argument) => Some(argument.clone()),
        other => syn::parse2(other.to_token_stream()).ok(),
    })
}
