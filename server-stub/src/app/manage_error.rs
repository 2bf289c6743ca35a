//! Why hooks or leads could not be managed. What an operator sets up fails with `AdminError`.

use crate::domain::clock::Timestamp;
use crate::domain::hook::{EndpointStatus, UnreadableSecret};
use crate::domain::store;

/// The longest id that is looked up, characters.
const MAX_ID: usize = 64;

/// Why something was not done; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ManageError {
    /// The text cannot be an id.
    #[error("{0} is not an id; ids are letters, digits and underscores, at most {MAX_ID} of them, such as hook_0199…")]
    NotAnId(&'static str),
    /// The account has no such endpoint.
    #[error("the account has no hook `{0}`; `hook list` shows those it has")]
    EndpointNotFound(String),
    /// The account has no such delivery.
    #[error("the account has no delivery `{0}`; `hook deliveries` shows those of a hook that are not deleted yet")]
    DeliveryNotFound(String),
    /// Nothing of the event was for the endpoint.
    #[error(
        "the event `{0}` was not for this hook; `hook deliveries` shows the events that were, as long as they are kept"
    )]
    EventNotDelivered(String),
    /// The account has no such lead.
    #[error("the account has no lead `{0}`; check the id, or it was erased before")]
    LeadNotFound(String),
    /// The text cannot be an e-mail address.
    #[error("that is no e-mail address; write the whole one, such as reader@example.com")]
    NotAnEmail,
    /// Nothing is sent to the endpoint.
    #[error("the hook is {}, so nothing is sent to it; resume it first", .0.as_str())]
    NotActive(EndpointStatus),
    /// A disabled endpoint cannot be paused.
    #[error("the hook endpoint is disabled, so nothing is sent to it anyway; resume it first, or remove it")]
    Disabled,
    /// The former secret would sign for too long.
    #[error("a former secret may sign for at most 7 days more; choose a shorter overlap")]
    OverlapTooLong,
    /// What happened then is not sent again.
    #[error("only the last 14 days can be recovered; choose a moment after {0}")]
    RecoveryTooFarBack(Timestamp),
    /// Nothing happened then yet.
    #[error("the moment to recover from lies in the future; choose one before {0}")]
    RecoveryInFuture(Timestamp),
    /// The page would be empty or too large.
    #[error("a page has 1 to 100 deliveries; choose a number between them")]
    PageSize,
    /// The token is forged, expired or another list's.
    #[error("the page token is none of this list, or it is older than two days; begin with the first page")]
    PageToken,
    /// Only what failed is sent again at once.
    #[error("only deliveries that failed are sent again together; choose one of the failed states")]
    NotFailed,
    /// The delivery is being sent.
    #[error("the delivery is being sent already; its attempts tell in a minute what came of it")]
    InFlight,
    /// The secret cannot be shown.
    #[error(transparent)]
    UnreadableSecret(#[from] UnreadableSecret),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Refuses what cannot be an id before it is looked up.
pub(super) fn check_id(what: &'static str, id: &str) -> Result<(), ManageError> {
    let is_id = (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id { Ok(()) } else { Err(ManageError::NotAnId(what)) }
}
