//! Who counts as the same person, and what is kept of a form.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
