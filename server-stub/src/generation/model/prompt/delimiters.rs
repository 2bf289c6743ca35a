//! The delimiters around texts of others. A text cannot end its own part, because they are random, and each draft and each
//! repair has new ones.

use std::fmt::Write as _;

use crate::domain::randomness::Randomness;

use super::super::text::{cut, plain_characters};

/// Random bytes in a mark.
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

    /// The name of the marks, for the rule about them.
    pub(super) fn mark(&self) -> &str {
        &self.0
    }

    /// The first `limit` characters of a text between marks that say what it is.
    pub(super) fn around(&self, what: &str, text: &str, limit: usize) -> String {
        let mark = &self.0;
        // Whoever guessed the marks would not get them in.
        let text = plain_characters(cut(text, limit)).replace(mark.as_str(), "");
        format!("<{mark} what=\"{what}\">\n{text}\n</{mark}>\n")
    }
}
