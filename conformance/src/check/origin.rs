//! Which case an exchange belongs to, so that what an observer finds can be repeated.
//!
//! The exchange itself is in `exchange`.

use serde_json::Value;

/// The case that made an exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// Whose case.
    pub requirement: &'static str,
    /// Which one, from 0.
    pub case_index: u32,
    /// The case itself; `null` for scenarios without input.
    pub case: Value,
}
