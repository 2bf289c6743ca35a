//! The bounds of what operators and users type.

use super::error::{AdminError, Setting};

/// The longest name of an account or a key, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;

pub(super) fn check_length(setting: Setting, text: &str, max: usize) -> Result<(), AdminError> {
    if text.trim().is_empty() {
        return Err(AdminError::Invalid { setting, reason: "must not be empty" });
    }
    if text.chars().count() > max {
        return Err(AdminError::Invalid { setting, reason: "is too long" });
    }
    Ok(())
}
