//! The order of the lowering, and what it hands to the generator. Each step is a file of its own.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::Value;

use super::bounds::{self, Bounds};
use super::enums::{self, OpenEnum};
use super::examples::{self, Example};
use super::operations::{self, Operations};
use super::unions::{self, Union};
use super::{components, core_profile, inline, integers, media, members, names, responses, roles};

/// A document that the generator can take, and what has to be written beside its output.
#[derive(Debug)]
pub(super) struct Lowered {
    /// The rewritten document.
    pub(super) document: Value,
    /// Vocabularies that may grow: types of our own.
    pub(super) open_enums: Vec<OpenEnum>,
    /// Unions that are told apart by a member: types of our own.
    pub(super) unions: Vec<Union>,
    /// What the document asks of request members, checked before a request is sent.
    pub(super) bounds: Vec<Bounds>,
    /// Schemas that requests are built from: these keep their builders.
    pub(super) requests: BTreeSet<String>,
    /// Schemas of which no member may make the rest unreadable.
    pub(super) lenient: BTreeSet<String>,
    /// What the document says of each member, by schema and member.
    pub(super) descriptions: BTreeMap<(String, String), String>,
    /// An example of calling each operation.
    pub(super) examples: BTreeMap<String, Example>,
    /// What calls and page streams must know of the operations.
    pub(super) operations: Operations,
}

/// Lowers a document; each refusal is a sentence that names the place.
pub(super) fn lower(mut document: Value) -> Result<Lowered> {
    names::check(&mut document)?;
    inline::write_out(&mut document)?;
    let examples = examples::collect(&mut document)?;
    media::rename(&mut document)?;
    components::join_compositions(&mut document)?;
    components::prune(&mut document);
    components::refuse_inline(&document)?;
    responses::reduce(&mut document)?;
    let operations = operations::facts(&mut document)?;
    let requests = roles::request_schemas(&document);
    let lenient = core_profile::project(&mut document)?;
    let bounds = bounds::collect(&document, &requests);
    let descriptions = members::descriptions(&document);
    let unions = unions::extract(&mut document)?;
    let sent = roles::sent_schemas(&document);
    let open_enums = enums::extract(&mut document, &sent)?;
    members::rewrite(&mut document, &requests)?;
    integers::widen(&mut document)?;
    bounds::drop_all(&mut document)?;
    // What was added meanwhile stands last where order is kept.
    document.sort_all_objects();
    Ok(Lowered { document, open_enums, unions, bounds, requests, lenient, descriptions, examples, operations })
}
