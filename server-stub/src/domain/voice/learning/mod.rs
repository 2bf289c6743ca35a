//! Learns a profile from texts that follow it, with the evidence for each rule.

mod corpus;
mod proposal;
mod recurring;
mod style;
mod tone;
mod vocabulary;

pub use corpus::Sample;
pub use proposal::{MIN_WORDS, Proposal, TooLittleText, learn};
