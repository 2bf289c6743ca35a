//! Learns a profile from texts that follow it, with the evidence for each rule.

mod corpus;
mod proposal;
mod readability;
mod recurring;
mod style;
#[cfg(test)]
mod tests;
mod tone;
mod viewpoint;
mod vocabulary;

pub use corpus::{MIN_WORDS, Sample};
pub use proposal::{Proposal, TooLittleText, learn};
