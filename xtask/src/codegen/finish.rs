//! The pass over the generator's output: what must not be public is hidden, our own types take the place of the
//! generator's, and everything is formatted. The changes to types and to builders are in files of their own.

use anyhow::{Context as _, Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItem, Item, ItemMod, parse_quote};

use super::lower::Lowered;
use super::{
    emit_bounds, emit_enums, emit_filters, emit_maps, emit_pages, emit_unions, finish_builders, finish_examples,
    finish_personal, finish_types,
};

/// What a reader of the file must know before anything else.
const HEADER: &str = "\
// @generated from openapi.yaml by `cargo xtask codegen`. Do not edit: change the document and run that command.

//! The client's operations and types, generated from the document. Requests are put together here, and sent in `call`.
";

/// What is in the arguments by which the generator says what it accepts.
const ACCEPT: [&str; 2] = [":: ACCEPT", "\"application/json\""];

/// The finished text of the file.
pub(super) fn source(tokens: TokenStream, lowered: &Lowered) -> Result<String> {
    let mut file: File = syn::parse2(tokens).context("the generator's output is not Rust")?;
    finish_client(&mut file);
    finish_examples::finish(&mut file, lowered)?;
    let types = module(&mut file.items, "types")?;
    finish_types::finish(types, lowered);
    finish_personal::hide(types);
    for open in &lowered.open_enums {
        types.extend(emit_enums::items(open)?);
    }
    for union in &lowered.unions {
        types.extend(emit_unions::items(union)?);
    }
    for bounds in &lowered.bounds {
        types.extend(emit_bounds::items(bounds)?);
    }
    types.extend(emit_filters::items(lowered)?);
    types.extend(emit_maps::items(lowered)?);
    let setters = finish_types::request_setters(types, lowered);
    let builders = module(&mut file.items, "builder")?;
    finish_builders::finish(builders, lowered, &setters)?;
    builders.insert(
        0,
        parse_quote!(
            use crate::segment::encode_segment;
        ),
    );
    for operation in &lowered.operations.pages {
        builders.extend(emit_pages::items(operation)?);
    }
    Calls.visit_file_mut(&mut file);
    let accepting = &lowered.operations.idempotency;
    file.items.push(parse_quote! {
        /// The operations by whose idempotency key a server recognises a repeated request.
        pub(crate) const ACCEPT_IDEMPOTENCY_KEY: &[&str] = &[#(#accepting),*];
    });
    file.attrs = vec![parse_quote! {
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
    }];
    let body = prettyplease::unparse(&file);
    Ok(format!("{HEADER}\n{body}"))
}

/// The items of a module of the file.
fn module<'a>(items: &'a mut [Item], name: &str) -> Result<&'a mut Vec<Item>> {
    let found = items.iter_mut().find_map(|item| match item {
        Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) if ident == name => Some(items),
        _ => None,
    });
    match found {
        Some(items) => Ok(items),
        None => bail!("the generator's output has no module `{name}`"),
    }
}

/// Hides the constructors of the client and what the generator re-exports: the client is built by its own builder.
fn finish_client(file: &mut File) {
    file.items.retain(|item| match item {
        Item::Mod(module) => module.ident != "prelude",
        // Our own function sends, so nothing calls hooks; and nobody gets at the HTTP client, which knows the key.
        Item::Impl(implementation) => {
            let text = implementation.to_token_stream().to_string();
            !["impl ClientHooks <", "impl ClientInfo <"].iter().any(|begin| text.starts_with(begin))
        }
        _ => true,
    });
    for item in &mut file.items {
        match item {
            Item::Use(import) => {
                import.vis = syn::Visibility::Inherited;
                import.attrs = vec![parse_quote!(#[allow(unused_imports)])];
            }
            Item::Struct(client) if client.ident == "Client" => {
                client.attrs =
                    vec![parse_quote!(#[derive(Clone, Debug)]), parse_quote!(#[doc = include_str!("client.md")])];
            }
            Item::Impl(methods) if methods.trait_.is_none() => {
                methods.items.retain(|item| !matches!(item, ImplItem::Fn(method) if method.sig.ident == "new"));
                for item in &mut methods.items {
                    if let ImplItem::Fn(method) = item
                        && method.sig.ident == "new_with_client"
                    {
                        method.vis = parse_quote!(pub(crate));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The id in `(&id.to_string())`, without the copy.
fn borrowed(argument: TokenTree) -> TokenStream {
    let TokenTree::Group(group) = argument else { return argument.into() };
    group.stream().into_iter().take_while(|token| token.to_string() != ".").collect()
}

/// Sends the generator's calls through our own functions: the encoding of path segments, which refuses those that
/// would lead to another path.
struct Calls;

impl VisitMut for Calls {
    // What answers are accepted is the same for all calls, and said by the client.
    fn visit_expr_mut(&mut self, expression: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let syn::Expr::MethodCall(call) = expression
            && call.method == "header"
            && ACCEPT.iter().all(|part| call.args.to_token_stream().to_string().contains(part))
        {
            *expression = (*call.receiver).clone();
        }
    }

    // URLs are put together in `format!`, whose arguments are tokens to a visitor.
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let mut own = TokenStream::new();
        let mut tokens = std::mem::take(&mut call.tokens).into_iter();
        while let Some(token) = tokens.next() {
            if matches!(&token, TokenTree::Ident(name) if name == "encode_path") {
                let id = tokens.next().map(borrowed);
                own.extend(quote!(encode_segment(#id)?));
            } else {
                own.extend([token]);
            }
        }
        call.tokens = own;
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        if let Some(last) = path.path.segments.last()
            && last.ident == "ResponseValue"
        {
            let arguments = &last.arguments;
            *path = parse_quote!(crate::Response #arguments);
        }
    }
}
