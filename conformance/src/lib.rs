#![doc = include_str!("../README.md")]

pub mod check;
pub mod choices;
pub mod cli;
pub mod contract;
pub mod coverage;
#[cfg(feature = "harness")]
pub mod harness;
pub mod inbox;
pub mod lateness;
pub mod model;
pub mod prove;
pub mod receivers;
#[cfg(feature = "reference")]
pub mod reference;
pub mod report;
pub mod requirements;
pub mod runner;
pub mod spec;
mod steps;
pub mod strategies;
