//! Faults in media types, sizes and their order.

mod media_type;
mod order;
mod size;

use super::fault::Fault;

/// The faults of this area.
pub(super) const FAULTS: &[&[Fault]] = &[media_type::FAULTS, size::FAULTS, order::FAULTS];
