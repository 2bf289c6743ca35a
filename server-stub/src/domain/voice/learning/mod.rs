//! Learns a profile from texts that follow it, with the evidence for each rule.

mod proposal;
mod recurring;
mod style;
#[cfg(test)]
mod tests;
mod tone;
mod vocabulary;

pub use proposal::{MIN_WORDS, Proposal, Sample, TooLittleText, learn};
