//! What is charged to a quota.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
