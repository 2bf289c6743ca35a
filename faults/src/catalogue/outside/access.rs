//! Who may see what, and what a request is told.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
