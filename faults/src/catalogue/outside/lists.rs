//! Pages, filters and their times.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
