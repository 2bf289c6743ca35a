//! Errors of managing hooks and leads. Administration fails with `AdminError` instead.

use crate::domain::clock::Timestamp;
use crate::domain::hook::{EndpointStatus, UnreadableSecret};
use crate::domain::store;

/// Maximum length of an id, in characters.
const MAX_ID: usize = 64;

/// Reason why an action was refused. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ManageError {
    /// The text cannot be an id.
    #[error("{0} is not valid; an id has 1 to {MAX_ID} letters, digits and underscores, such as hook_0199…")]
    NotAnId(&'static str),
    /// The account has no such endpoint.
    #[error("the account has no webhook endpoint `{0}`; `hook list` shows its endpoints")]
    EndpointNotFound(String),
    /// The account has no such delivery.
    #[error("the account has no delivery `{0}`; `hook deliveries` shows the deliveries that are still stored")]
    DeliveryNotFound(String),
    /// The event has no delivery to the endpoint.
    #[error(
        "the endpoint has no delivery of the event `{0}`; `hook deliveries` shows the deliveries that are still stored"
    )]
    EventNotDelivered(String),
    /// The account has no such lead.
    #[error("the account has no lead `{0}`; it was erased or the id is wrong")]
    LeadNotFound(String),
    /// The text cannot be an e-mail address.
    #[error("the e-mail address is not valid; write the whole address, such as reader@example.com")]
    NotAnEmail,
    /// The endpoint is paused or disabled.
    #[error("the endpoint is {}, so nothing is sent to it; resume it first", .0.as_str())]
    NotActive(EndpointStatus),
    /// A disabled endpoint cannot be paused.
    #[error("a disabled endpoint cannot be paused; resume it first, or remove it")]
    Disabled,
    /// The overlap of the two secrets is too long.
    #[error("the former secret can sign for at most 7 more days; choose a shorter overlap")]
    OverlapTooLong,
    /// The time to recover from is too far back.
    #[error("only the last 14 days can be recovered; choose a time after {0}")]
    RecoveryTooFarBack(Timestamp),
    /// The time to recover from is in the future.
    #[error("the time to recover from is in the future; choose a time before {0}")]
    RecoveryInFuture(Timestamp),
    /// The page size is outside 1 to 100.
    #[error("a page must have 1 to 100 deliveries")]
    PageSize,
    /// The page token is forged, expired, or belongs to another list.
    #[error("unknown or expired page token; start again with the first page")]
    PageToken,
    /// Only failed deliveries can be sent again together.
    #[error("only failed deliveries can be sent again together; choose one of the failed states")]
    NotFailed,
    /// The delivery is being sent.
    #[error("the delivery is being sent; check its attempts in a minute")]
    InFlight,
    /// The secret cannot be decrypted.
    #[error(transparent)]
    UnreadableSecret(#[from] UnreadableSecret),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Returns an error if the text cannot be an id. Saves a query to the store.
pub(super) fn check_id(what: &'static str, id: &str) -> Result<(), ManageError> {
    let is_id = (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id { Ok(()) } else { Err(ManageError::NotAnId(what)) }
}
