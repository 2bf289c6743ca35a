//! Selects requirements by profile, patterns over their ids and shard.
//!
//! `stage` skips selected requirements that the target does not support.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::check::Requirement;
use crate::spec::Profile;

/// Patterns over requirement ids: `*` matches any text. A pattern without `*` is a prefix.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Keeps only requirements that match one of these; everything if empty.
    pub only: Vec<String>,
    /// Drops requirements that match one of these.
    pub skip: Vec<String>,
}

/// One of several parts of the catalogue, for runs on several machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

/// Maximum number of parts of one run.
const MAX_SHARDS: u32 = 100;

impl Shard {
    /// Keeps the requirements of this part. `requirements` is in the order of ids.
    pub(super) fn keep(self, requirements: &mut Vec<Arc<Requirement>>) {
        let mut turns = (1..=self.of).cycle();
        requirements.retain(|_| turns.next() == Some(self.number));
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Parses `1/3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        let is_one = |shard: &Self| (1..=MAX_SHARDS).contains(&shard.of) && (1..=shard.of).contains(&shard.number);
        read().filter(is_one).ok_or_else(|| format!("write it like 1/3, with at most {MAX_SHARDS} parts"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

impl Selection {
    /// Returns the selected requirements of `profile`, in the order of their ids.
    pub fn select(&self, catalogue: Vec<Requirement>, profile: Profile) -> Vec<Arc<Requirement>> {
        let mut selected: Vec<Arc<Requirement>> = catalogue
            .into_iter()
            .filter(|requirement| requirement.profile <= profile)
            .filter(|requirement| self.keeps(requirement.id))
            .map(Arc::new)
            .collect();
        selected.sort_by_key(|requirement| requirement.id);
        selected
    }

    /// Returns the `only` patterns that match no requirement of `profile`.
    pub fn unmatched(&self, catalogue: &[Requirement], profile: Profile) -> Vec<&str> {
        let is_idle = |pattern: &&str| {
            let mut offered = catalogue.iter().filter(|requirement| requirement.profile <= profile);
            !offered.any(|requirement| matches(pattern, requirement.id))
        };
        self.only.iter().map(String::as_str).filter(is_idle).collect()
    }

    /// Returns true if no pattern narrows the selection.
    pub fn is_everything(&self) -> bool {
        self.only.is_empty() && self.skip.is_empty()
    }

    /// Returns true if the patterns keep `id`.
    pub fn keeps(&self, id: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, id));
        (self.only.is_empty() || any(&self.only)) && !any(&self.skip)
    }
}

/// Returns true if `id` matches `pattern`. A pattern without `*` matches itself and everything below it.
fn matches(pattern: &str, id: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = id.strip_prefix(first) else {
        return false;
    };
    if !pattern.contains('*') {
        return rest.is_empty() || rest.starts_with('.') || first.ends_with('.');
    }
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return part.is_empty() || rest.ends_with(part);
        }
        let Some(position) = rest.find(part) else {
            return false;
        };
        rest = &rest[position + part.len()..];
    }
    true
}

/// The reason why a requirement is not part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// The profile does not contain it.
    Profile,
    /// The selection excludes it.
    Selection,
    /// Another shard contains it.
    Shard,
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_pattern_without_a_star_is_a_prefix_of_whole_words() {
        assert!(matches("jobs", "jobs.cancel.idempotent"));
        assert!(matches("jobs.cancel.idempotent", "jobs.cancel.idempotent"));
        assert!(!matches("job", "jobs.cancel.idempotent"));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("*.cancel.*", "jobs.cancel.idempotent"));
        assert!(matches("jobs*idempotent", "jobs.cancel.idempotent"));
        assert!(!matches("jobs*missing", "jobs.cancel.idempotent"));
    }
}
