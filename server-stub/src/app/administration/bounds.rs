//! The bounds of what an operator types.

use super::error::AdminError;

/// The longest name of an account or a key, in characters.
pub(super) const MAX_NAME_CHARS: usize = 80;

pub(super) fn check_length(what: &'static str, text: &str, max: usize) -> Result<(), AdminError> {
    if text.trim().is_empty() {
        return Err(AdminError::Invalid { what, reason: "must not be empty" });
    }
    if text.chars().count() > max {
        return Err(AdminError::Invalid { what, reason: "is too long" });
    }
    Ok(())
}
