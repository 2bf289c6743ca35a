//! What an article holds of what was asked for.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
