//! Ids: none means anything at the place of another.

pub(super) mod case;
pub(super) mod jobs;
pub(super) mod kinds;
pub(super) mod near;
