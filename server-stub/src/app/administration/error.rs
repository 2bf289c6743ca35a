//! Why an operator's command could not be carried out.

use crate::domain::store;
use crate::hooks::AddressError;

/// Why something was not set up; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// A value outside its bounds.
    #[error("{what} {reason}")]
    Invalid {
        /// Which value.
        what: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No account has that name or id.
    #[error("there is no account named `{0}`; make it with `account create --name {0}`")]
    AccountNotFound(String),
    /// The account has no such website.
    #[error("the account has no website `{0}`")]
    WebsiteNotFound(String),
    /// The account has no such endpoint.
    #[error("the account has no hook `{0}`; `hook list` shows those it has")]
    HookNotFound(String),
    /// Hooks do not go there.
    #[error("the hook's URL is refused: {0}")]
    HookAddress(#[source] AddressError),
    /// The account has no such key.
    #[error("the account has no such key")]
    KeyNotFound,
    /// Its secret was shown then.
    #[error(
        "this key was made before, and its secret is shown once; if you did not keep it, revoke the key and make another one"
    )]
    KeyMadeBefore,
    /// The account's name is taken.
    #[error("an account with this name exists; choose another name")]
    NameTaken,
    /// The token is forged, expired or another list's.
    #[error("the page token is none of this list, or it is older than two days; begin with the first page")]
    PageToken,
    /// Another user has the address.
    #[error("a user with this e-mail address exists; each address can be used once")]
    EmailTaken,
    /// The account has no such user.
    #[error("the account has no such user")]
    UserNotFound,
    /// Nobody could sign in any more.
    #[error("the last user of an account cannot be removed; add another one first")]
    LastUser,
    /// A key needs an active website.
    #[error("the account has no active website, which a key needs; make one with `website create`")]
    WebsiteRequired,
    /// The store refused or failed.
    #[error(transparent)]
    Store(store::Error),
}

impl From<store::Error> for AdminError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::WebsiteRequired => Self::WebsiteRequired,
            store::Error::AlreadyExists => Self::NameTaken,
            other => Self::Store(other),
        }
    }
}
