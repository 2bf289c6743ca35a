//! Faults in parsing JSON.

mod answers;
mod limits;
mod pieces;
mod syntax;
mod text;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[answers::FAULTS, syntax::FAULTS, text::FAULTS, limits::FAULTS];
