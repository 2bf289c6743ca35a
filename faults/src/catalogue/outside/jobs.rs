//! Jobs, entries and articles as they change.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
