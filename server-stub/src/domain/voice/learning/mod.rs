//! What texts have in common, as a profile that they keep, with the evidence for each rule. Nothing here reads files.

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
