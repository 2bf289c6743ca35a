//! What both benches measure with.

mod stopwatch;

pub(crate) use stopwatch::{Rate, Stopwatch};
