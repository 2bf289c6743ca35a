//! Delimiters around untrusted texts. They are random and new for each draft and repair, so a text cannot contain its own end.

use std::fmt::Write as _;

use crate::domain::randomness::Randomness;

use super::super::text::{cut, plain_characters};

/// Number of random bytes in a delimiter.
const MARK_BYTES: usize = 12;

/// The delimiters of one draft or repair.
#[derive(Debug, Clone)]
pub(in super::super) struct Delimiters(String);

impl Delimiters {
    pub(in super::super) fn new(randomness: &dyn Randomness) -> Self {
        let mut bytes = [0; MARK_BYTES];
        randomness.fill(&mut bytes);
        let mut mark = "material-".to_owned();
        for byte in bytes {
            write!(mark, "{byte:02x}").expect("a string takes everything");
        }
        Self(mark)
    }

    /// Returns the name of the delimiters, for the rule about them.
    pub(super) fn mark(&self) -> &str {
        &self.0
    }

    /// Returns the first `limit` characters of a text between delimiters that contain its description.
    pub(super) fn around(&self, what: &str, text: &str, limit: usize) -> String {
        let mark = &self.0;
        // Removes the delimiter from the text, in case its author guessed it.
        let text = plain_characters(cut(text, limit)).replace(mark.as_str(), "");
        format!("<{mark} what=\"{what}\">\n{text}\n</{mark}>\n")
    }
}
