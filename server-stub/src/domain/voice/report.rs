//! Results of the rules, as in the `voice` field of an article. `rules` contains the rules themselves.

use serde::{Deserialize, Serialize};

/// Results of all rules for one text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct VoiceReport {
    /// Id of the applied profile; absent for the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_id: Option<String>,
    /// The version of that profile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_voice_version: Option<u32>,
    /// True if every check passed.
    pub passed: bool,
    /// One entry per rule.
    pub checks: Vec<VoiceCheck>,
}

impl VoiceReport {
    /// Returns the failed checks.
    pub fn failures(&self) -> impl Iterator<Item = &VoiceCheck> {
        self.checks.iter().filter(|check| !check.passed)
    }

    /// Returns true if the text violates the rule.
    pub fn fails(&self, rule: &str) -> bool {
        self.failures().any(|check| check.rule == rule)
    }
}

/// Result of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoiceCheck {
    /// Id of the rule, such as `banned_terms`.
    pub rule: String,
    /// True if the text follows the rule.
    pub passed: bool,
    /// Requirement of the profile or the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Measured value of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<String>,
}

impl VoiceCheck {
    /// Creates a check with a measured result.
    pub(super) fn measured(rule: &str, passed: bool, expected: impl Into<String>, observed: impl Into<String>) -> Self {
        Self { rule: rule.to_owned(), passed, expected: Some(expected.into()), observed: Some(observed.into()) }
    }

    /// Creates a passed check without anything to measure.
    pub(super) fn not_measured(rule: &str) -> Self {
        Self { rule: rule.to_owned(), passed: true, expected: None, observed: None }
    }
}
