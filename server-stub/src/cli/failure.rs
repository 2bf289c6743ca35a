//! The failure of a command: an exit code and one sentence that says what to do.

use std::fmt;

use crate::app::AdminError;
use crate::domain::error_chain::ErrorChain;
use crate::domain::store;
use crate::hooks::AddressError;
use crate::server::StartError;
use crate::storage::OpenError;

/// The exit codes of the program, except 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Something failed that no option could have prevented.
    Failed = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// The database or the address cannot be used.
    CannotStart = 3,
}

/// Reason why a command failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) exit: Exit,
    message: String,
}

impl Failure {
    pub(super) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into() }
    }

    /// Returns a failure with an error and its causes.
    pub(super) fn of(exit: Exit, error: &(dyn std::error::Error + 'static)) -> Self {
        Self::new(exit, ErrorChain(error).to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A quoted text of a third party must not control the terminal.
        let is_harmful = |letter: char| letter.is_control() && letter != '\n';
        formatter.write_str(&self.message.replace(is_harmful, "\u{fffd}"))
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let exit = match error {
            OpenError::Address | OpenError::SslMode { .. } => Exit::Usage,
            _ => Exit::CannotStart,
        };
        Self::of(exit, &error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Database(error) => error.into(),
            StartError::NoPublicUrl { .. } => Self::of(Exit::Usage, &error),
            other => Self::of(Exit::CannotStart, &other),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Self::of(Exit::Failed, &error)
    }
}

impl From<AdminError> for Failure {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::Store(_) | AdminError::UnreadableSecret(_) => Self::of(Exit::Failed, &error),
            AdminError::HookAddress(AddressError::Scheme | AddressError::Port | AddressError::Forbidden)
            | AdminError::PushAddress(AddressError::Scheme | AddressError::Port | AddressError::Forbidden) => {
                let hint =
                    "to allow an address of your own network, pass --hook-allow-cidr to this command and to the server";
                Self::new(Exit::Usage, format!("{error}; {hint}"))
            }
            _ => Self::of(Exit::Usage, &error),
        }
    }
}
