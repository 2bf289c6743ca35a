//! Checks the length of texts that operators and users type.

use super::error::{AdminError, Setting};

/// Maximum length of the name of an account or a key, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;
/// Error text for a longer name.
pub(super) const NAME_TOO_LONG: &str = "must have at most 80 characters";

/// Returns an error if the text is blank, or if it has more than `max` characters; `too_long` is the reason for the latter.
pub(super) fn check_length(setting: Setting, text: &str, max: usize, too_long: &'static str) -> Result<(), AdminError> {
    if text.trim().is_empty() {
        return Err(AdminError::Invalid { setting, reason: "must not be empty" });
    }
    if text.chars().count() > max {
        return Err(AdminError::Invalid { setting, reason: too_long });
    }
    Ok(())
}
