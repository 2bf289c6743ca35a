//! Random sequences of calls.

pub(super) mod jobs;
