#![doc = include_str!("../README.md")]

pub mod cli;
#[cfg(feature = "harness")]
pub mod harness;
pub mod prove;
#[cfg(feature = "reference")]
pub mod reference;
pub mod report;
pub mod requirements;
pub mod runner;
pub mod spec;
pub mod strategies;
