//! Property-based conformance suite for the Content Generation Service API.
//!
//! Rooms, left to right: [`spec`] → [`strategies`] → [`requirements`] → [`runner`] → [`report`] → [`cli`]. The
//! library never prints; the command line in [`cli`] is the only part that writes to a terminal.

pub mod cli;
#[cfg(feature = "reference")]
pub mod reference;
pub mod report;
pub mod requirements;
pub mod runner;
pub mod spec;
pub mod strategies;
