//! What counts as the same request.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
