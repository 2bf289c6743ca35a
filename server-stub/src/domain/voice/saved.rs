//! A version of a profile, with who saved it and when. Which versions there are, the store keeps.

use super::profile::BrandVoice;
use crate::domain::clock::Timestamp;
use crate::domain::personal::Personal;

/// A profile as it was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedVoice {
    /// The profile, with the number of its version.
    pub profile: BrandVoice,
    /// When this version was saved.
    pub saved_at: Timestamp,
    /// Who saved it, as the audit trail names actors.
    pub saved_by: Personal<String>,
}
