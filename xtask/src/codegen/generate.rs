//! Runs the generator on a lowered document. Its settings live here; what is changed in its output lives in `finish`.

use anyhow::{Context as _, Result};
use proc_macro2::TokenStream;
use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle, TagStyle, TypeImpl};
use quote::quote;

use super::lower::Lowered;

/// The client and its types, as the generator writes them.
pub(super) fn tokens(lowered: &Lowered) -> Result<TokenStream> {
    let document = serde_json::from_value(lowered.document.clone()).context("the document is not OpenAPI 3.0")?;
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_tag(TagStyle::Merged)
        .with_inner_type(quote! { crate::settings::Settings })
        .with_derive("PartialEq")
        .with_map_type("::std::collections::BTreeMap");
    for open in &lowered.open_enums {
        let traits = [TypeImpl::Display, TypeImpl::FromStr];
        settings.with_replacement(&open.name, path(&open.name), traits.into_iter());
    }
    for union in &lowered.unions {
        settings.with_replacement(&union.name, path(&union.name), std::iter::empty());
    }
    Generator::new(&settings).generate_tokens(&document).context("the generator does not take the lowered document")
}

/// Where a type of our own stands in the finished file.
fn path(name: &str) -> String {
    format!("crate::generated::types::{name}")
}
