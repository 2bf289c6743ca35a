//! The coverage of a run, with the requirements that usually cover each part in runs against the reference server.
//!
//! `contract` describes how that is measured.

use std::collections::BTreeMap;

use super::part::Part;

/// Coverage of a document by a run.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// All parts, in the order of the document.
    pub parts: Vec<PartCoverage>,
}

/// Coverage of one part.
#[derive(Debug, Clone)]
pub struct PartCoverage {
    /// The part.
    pub part: Part,
    /// True if the run covered it.
    pub is_met: bool,
    /// Number of exchanges that covered it.
    pub exchanges: u64,
    /// The requirements whose cases covered it, in the order of ids.
    pub by: Vec<&'static str>,
    /// Requirements that cover it in a run against the reference server, those with the fewest needs first. May be empty.
    pub usually_by: Vec<String>,
    /// The reason why no requirement can cover it, if known.
    pub unreachable: Option<&'static str>,
}

impl Coverage {
    /// Adds the measured requirements, a line `part,requirements` for each part below a heading, and the reasons for unreachable parts.
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
