//! Texts as words of a POSIX shell, for the commands that reports print.
//!
//! Lines of curl, where keys become variables, are in `curl`.

use std::path::Path;

/// A text as one word, in quotes where a shell needs them. A NUL, which no argument can hold, is left out.
pub(super) fn quoted(text: &str) -> String {
    shlex::try_quote(&text.replace('\0', "")).map(std::borrow::Cow::into_owned).unwrap_or_default()
}

/// A path as one word.
pub(super) fn path(path: &Path) -> String {
    quoted(&path.display().to_string())
}
