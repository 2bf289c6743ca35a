//! A saved version of a profile, with its author and time.

use super::profile::BrandVoice;
use crate::domain::clock::Timestamp;
use crate::domain::personal::Personal;

/// A saved profile.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedVoice {
    /// The profile, with its version number.
    pub profile: BrandVoice,
    /// Time at which this version was saved.
    pub saved_at: Timestamp,
    /// Author of this version, as named in the audit trail.
    pub saved_by: Personal<String>,
}
