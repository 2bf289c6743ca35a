//! Reads the environment; no other file of the command line does.

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
