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
