//! Which of the generated types refer to which.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Item, ItemStruct};

/// The types by name, each with the names of those that its members have.
pub(super) struct TypeGraph(BTreeMap<String, BTreeSet<String>>);

impl TypeGraph {
    /// Reads it off the items.
    pub(super) fn of(items: &[Item]) -> Self {
        let names: BTreeSet<String> = structures(items).map(|structure| structure.ident.to_string()).collect();
        let references = structures(items).map(|structure| {
            let mut words = BTreeSet::new();
            for field in &structure.fields {
                collect_words(field.ty.to_token_stream(), &mut words);
            }
            (structure.ident.to_string(), words.intersection(&names).cloned().collect())
        });
        Self(references.collect())
    }

    /// A type and all that it refers to, directly or through others.
    pub(super) fn below(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut pending = vec![name.to_owned()];
        while let Some(name) = pending.pop() {
            if let Some(below) = self.0.get(&name)
                && found.insert(name)
            {
                pending.extend(below.iter().cloned());
            }
        }
        found
    }

    /// The types that refer to one of these, directly or through others.
    pub(super) fn above(&self, these: &BTreeSet<String>) -> BTreeSet<String> {
        let leads_there = |name: &&String| !these.contains(*name) && !self.below(name).is_disjoint(these);
        self.0.keys().filter(leads_there).cloned().collect()
    }
}

/// The structures among the items.
pub(super) fn structures(items: &[Item]) -> impl Iterator<Item = &ItemStruct> {
    items.iter().filter_map(|item| match item {
        Item::Struct(structure) => Some(structure),
        _ => None,
    })
}

/// All words of a text of tokens.
fn collect_words(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                words.insert(word.to_string());
            }
            TokenTree::Group(group) => collect_words(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
