//! What the rules found, as callers see it in an article's `voice` member; the rules themselves are in `rules`.

use serde::{Deserialize, Serialize};

/// The outcome of all rules for one text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct VoiceReport {
    /// The profile that was applied; absent for the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_id: Option<String>,
    /// The version of that profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_version: Option<u32>,
    /// Whether every check passed.
    pub passed: bool,
    /// One entry per rule.
    pub checks: Vec<VoiceCheck>,
}

impl VoiceReport {
    /// The checks that did not pass.
    pub fn failures(&self) -> impl Iterator<Item = &VoiceCheck> {
        self.checks.iter().filter(|check| !check.passed)
    }

    /// Whether the text breaks the rule.
    pub fn fails(&self, rule: &str) -> bool {
        self.failures().any(|check| check.rule == rule)
    }
}

/// The outcome of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoiceCheck {
    /// The rule's id, such as `banned_terms`.
    pub rule: String,
    /// Whether the text follows it.
    pub passed: bool,
    /// What the profile or the order asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What the text has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
}

impl VoiceCheck {
    /// A check that had something to measure.
    pub(super) fn measured(rule: &str, passed: bool, expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self { rule: rule.to_owned(), passed, expected: Some(expected.into()), observed: Some(observed.into()) }
    }

    /// A check that had nothing to measure.
    pub(super) fn not_measured(rule: &str) -> Self {
        Self { rule: rule.to_owned(), passed: true, expected: None, observed: None }
    }
}
