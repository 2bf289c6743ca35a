//! Reads the environment; no other file of the command line does.

use std::io::IsTerminal;

use crate::report::Terminal;
use crate::runner::SetUpError;

/// Returns the value of an environment variable; an empty one counts as unset.
#[expect(clippy::disallowed_methods, reason = "this is the place that reads the environment")]
pub(super) fn value_of(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.trim().is_empty())
}

/// Returns the API key in an environment variable.
pub(super) fn key(variable: &str) -> Result<String, SetUpError> {
    value_of(variable).ok_or_else(|| {
        SetUpError::Configuration(format!(
            "no API key: set the environment variable {variable} to a platform key of the target"
        ))
    })
}

/// Returns true if GitHub Actions reads the output.
pub(super) fn is_on_github() -> bool {
    value_of("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Returns true if text on `stream` is in colour.
pub(super) fn has_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && value_of("NO_COLOR").is_none()
}

/// Returns the view of a run on standard error.
pub(super) fn progress(no_progress: bool) -> Terminal {
    let errors = std::io::stderr();
    Terminal::new(errors.is_terminal() && !no_progress, has_colour(&errors), Box::new(errors))
}
