//! The case that an exchange belongs to, so that an observer's finding can be repeated.
//!
//! The exchange itself is in `exchange`.

use serde_json::Value;

/// The case that made an exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct Origin {
    /// The requirement of the case.
    pub requirement: &'static str,
    /// Index of the case, from 0.
    pub case_index: u32,
    /// The case itself; `null` for scenarios without input.
    pub case: Value,
}
