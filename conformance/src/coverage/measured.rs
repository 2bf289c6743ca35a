//! What a run met, beside what runs against the reference server usually meet.
//!
//! How that is measured is told in `contract`.

use std::collections::BTreeMap;

use super::part::Part;

/// How much of a document a run met.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// Every part, in the order of the document.
    pub parts: Vec<PartCoverage>,
}

/// What became of one part.
#[derive(Debug, Clone)]
pub struct PartCoverage {
    /// Which part.
    pub part: Part,
    /// Whether the run met it.
    pub is_met: bool,
    /// How many exchanges did.
    pub exchanges: u64,
    /// The requirements whose cases did, in the order of ids.
    pub by: Vec<&'static str>,
    /// Some that do in a run against the reference server, those that need least first; empty where none does.
    pub usually_by: Vec<String>,
    /// Why no requirement can bring it about, where that is known.
    pub unreachable: Option<&'static str>,
}

impl Coverage {
    /// Adds what was measured, a line `part,requirements` for each part below a heading, and why parts cannot be brought about.
    #[must_use]
    pub(crate) fn beside(mut self, measured: &str, unreachable: &dyn Fn(&Part) -> Option<&'static str>) -> Self {
        let lines = measured.lines().skip(1).filter_map(|line| line.split_once(','));
        let measured: BTreeMap<&str, &str> = lines.collect();
        for one in &mut self.parts {
            let names = measured.get(one.part.to_string().as_str()).copied().unwrap_or_default();
            one.usually_by = names.split_whitespace().map(ToOwned::to_owned).collect();
            one.unreachable = unreachable(&one.part);
        }
        self
    }
}
