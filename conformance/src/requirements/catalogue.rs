//! The whole catalogue.

use super::SUBJECTS;
use crate::check::Requirement;

/// Returns all requirements, sorted by id.
pub fn catalogue() -> Vec<Requirement> {
    let mut all: Vec<Requirement> = SUBJECTS.iter().flat_map(|requirements| requirements()).collect();
    all.sort_by_key(|requirement| requirement.id);
    all
}
