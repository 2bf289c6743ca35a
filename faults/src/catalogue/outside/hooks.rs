//! Deliveries and their retries.

use super::super::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
