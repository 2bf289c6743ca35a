//! The sentences of the document that the requirements quote.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use crate::check::Source;
use crate::requirements::catalogue;
use crate::spec::{Document, Sentence, sentences};

/// Sentences that no requirement can test from outside.
const UNTESTED: &str = include_str!("untested.toml");

/// Sentences that are not tested for the same reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untested {
    /// The reason why they cannot be tested from outside.
    pub reason: String,
    /// The sentences, as in the document.
    pub sentences: Vec<String>,
}

/// The normative sentences of the document, by their treatment in the suite.
#[derive(Debug)]
pub struct Clauses {
    /// Quoted by at least one requirement.
    pub quoted: Vec<Sentence>,
    /// Listed with a reason.
    pub untested: Vec<Untested>,
    /// Neither quoted nor listed.
    pub missing: Vec<Sentence>,
    /// Listed although they are quoted, or are not normative sentences of the document.
    pub stale: Vec<String>,
}

impl Clauses {
    /// Compares the embedded document with the sources of the catalogue.
    ///
    /// # Panics
    /// If the embedded files cannot be parsed, which a test of this crate rules out.
    pub fn of_catalogue() -> Self {
        #[derive(Deserialize)]
        struct File {
            untested: Vec<Untested>,
        }
        let untested = toml::from_str::<File>(UNTESTED).expect("untested.toml is tested").untested;
        let document: Value =
            serde_saphyr::from_str(Document::embedded_text()).expect("the embedded document is tested");
        let quotations: BTreeSet<&str> = catalogue()
            .iter()
            .flat_map(|requirement| requirement.sources)
            .filter_map(|source| if let Source::Sentence(text) = source { Some(*text) } else { None })
            .collect();
        let listed: BTreeSet<&str> = untested.iter().flat_map(|group| &group.sentences).map(String::as_str).collect();
        let normative: Vec<Sentence> = sentences(&document).into_iter().filter(Sentence::is_normative).collect();
        let (quoted, others): (Vec<_>, Vec<_>) =
            normative.into_iter().partition(|sentence| quotations.contains(&*sentence.text));
        let stale = listed.iter().filter(|text| others.iter().all(|sentence| sentence.text != **text));
        let stale = stale.map(|text| (*text).to_owned()).collect();
        let missing = others.into_iter().filter(|sentence| !listed.contains(&*sentence.text)).collect();
        Self { quoted, untested, missing, stale }
    }

    /// Returns the number of normative sentences.
    pub fn normative(&self) -> usize {
        let untested: usize = self.untested.iter().map(|group| group.sentences.len()).sum();
        self.quoted.len() + untested + self.missing.len()
    }
}

/// An invariant of the document under `x-conformance`, which a schema cannot express.
#[derive(Debug)]
pub struct Invariant {
    /// Its id in the document.
    pub id: String,
    /// The requirements that quote it. True for those that check every exchange of a run.
    pub requirements: Vec<(&'static str, bool)>,
}

impl Invariant {
    /// Returns the invariants of the embedded document, by id, with their requirements.
    ///
    /// # Panics
    /// If the embedded document cannot be parsed, which a test of this crate rules out.
    pub fn all() -> Vec<Self> {
        let document = serde_saphyr::from_str(Document::embedded_text()).expect("the embedded document is tested");
        let mut rules = Vec::new();
        collect(&document, &mut rules);
        let catalogue = catalogue();
        let invariant = |rule: &Value| {
            let sentences = sentences(rule);
            let quotes = |source: &Source| matches!(source, Source::Sentence(text) if sentences.iter().any(|sentence| sentence.text == *text));
            let quoting = catalogue.iter().filter(|requirement| requirement.sources.iter().any(quotes));
            let requirements = quoting.map(|requirement| (requirement.id, requirement.observer().is_some())).collect();
            Self { id: rule["id"].as_str().unwrap_or_default().to_owned(), requirements }
        };
        let mut all: Vec<Self> = rules.iter().map(invariant).collect();
        all.sort_by(|one, other| one.id.cmp(&other.id));
        all
    }
}

/// Adds the entries of each list `x-conformance` to `rules`.
fn collect(node: &Value, rules: &mut Vec<Value>) {
    match node {
        Value::Object(fields) => {
            rules.extend(fields.get("x-conformance").and_then(Value::as_array).into_iter().flatten().cloned());
            fields.values().for_each(|field| collect(field, rules));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, rules)),
        _ => {}
    }
}
