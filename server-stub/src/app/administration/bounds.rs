//! The bounds of what operators and users type.

use super::error::{AdminError, Setting};

/// The longest name of an account or a key, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;
/// Why a longer one is refused.
pub(super) const NAME_TOO_LONG: &str = "must have at most 80 characters";

/// Refuses a text that is empty, or longer than `max` characters for the reason `too_long`.
pub(super) fn check_length(setting: Setting, text: &str, max: usize, too_long: &'static str) -> Result<(), AdminError> {
    if text.trim().is_empty() {
        return Err(AdminError::Invalid { setting, reason: "must not be empty" });
    }
    if text.chars().count() > max {
        return Err(AdminError::Invalid { setting, reason: too_long });
    }
    Ok(())
}
