//! Quotes texts as words of a POSIX shell, for the commands that reports print.
//!
//! `curl` writes command lines of curl, in which keys become variables.

use std::path::Path;

/// Returns a text as one word, in quotes if a shell needs them. Omits NUL, which no argument can contain.
pub(super) fn quoted(text: &str) -> String {
    shlex::try_quote(&text.replace('\0', "")).map(std::borrow::Cow::into_owned).unwrap_or_default()
}

/// Returns a path as one word.
pub(super) fn path(path: &Path) -> String {
    quoted(&path.display().to_string())
}
