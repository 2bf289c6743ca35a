//! Errors of administration and of managing hooks and leads, by command line or dashboard.

use std::fmt;

use super::Busy;
use crate::domain::clock::Timestamp;
use crate::domain::hook::{EndpointStatus, UnreadableSecret};
use crate::domain::names::names;
use crate::domain::store;
use crate::domain::unicode_form::is_plain_line;
use crate::domain::voice::ProfileViolation;
use crate::hooks::AddressError;

/// Maximum length of an id, in characters.
const MAX_ID: usize = 64;

names! {
    /// Setting that an error is about.
    pub enum Setting {
        /// Name of an account, a website or a key.
        Name = "the name",
        /// The address of a website.
        WebsiteUrl = "the website's URL",
        /// The language of a website's articles.
        Language = "the language",
        /// Time zone of a website.
        TimeZone = "the time zone",
        /// Brand DNA profile of a website.
        BrandDna = "the Brand DNA",
        /// Number of words of a website's articles.
        ArticleLength = "the length of articles",
        /// Time for which a website's leads are kept.
        LeadRetention = "the retention of leads",
        /// Sentence beside the consent box.
        ConsentText = "the consent text",
        /// Address of the privacy page.
        PrivacyUrl = "the address of the privacy page",
        /// Folder for a website's article files.
        Folder = "the folder",
        /// Event types that a hook endpoint receives.
        HookEvents = "the events",
        /// Description of a hook endpoint.
        HookDescription = "the description",
        /// E-mail address of a user.
        Email = "the e-mail address",
        /// Domain of a website, typed to confirm its deletion.
        Domain = "the domain",
        /// Current password of a user.
        CurrentPassword = "the current password",
        /// New password of a user.
        NewPassword = "the new password",
        /// Text to check against a profile.
        SampleText = "the text",
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Setting {
    /// Returns an error with this reason, unless the setting `is_valid`.
    pub(super) fn require(self, is_valid: bool, reason: &'static str) -> Result<(), AdminError> {
        if is_valid { Ok(()) } else { Err(AdminError::Invalid { setting: self, reason }) }
    }

    /// Returns an error unless people see exactly this text, on one line.
    pub(super) fn require_plain_line(self, text: &str) -> Result<(), AdminError> {
        let reason =
            "must be plain text on one line, without invisible characters or marks that change the writing direction";
        self.require(is_plain_line(text), reason)
    }
}

/// Reason why a change was refused. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// A value outside its bounds.
    #[error("{setting} {reason}")]
    Invalid {
        /// Setting with the error.
        setting: Setting,
        /// Description of the error.
        reason: &'static str,
    },
    /// No account has that name or id.
    #[error("there is no account named `{0}`; create it with `account create --name {0}`")]
    AccountNotFound(String),
    /// The account has no such website.
    #[error("the account has no website `{0}`; `website list` shows its websites")]
    WebsiteNotFound(String),
    /// The account has no such Brand DNA profile, or the profile has no such version.
    #[error("the account has no such Brand DNA profile")]
    VoiceNotFound,
    /// The profile is outside its bounds, or no text could satisfy it.
    #[error("the profile is not valid: {}", list(.0))]
    VoiceInvalid(Vec<ProfileViolation>),
    /// The profile was saved by another request in the meantime.
    #[error("version {0} of the profile was saved in the meantime; read it and save again")]
    VoiceChanged(u32),
    /// The settings were changed by another request after the user opened them.
    #[error(
        "nothing was saved, because these settings were changed after you opened them; open them in another tab to see what is new, then save again to replace it"
    )]
    SettingsChanged,
    /// A website uses the profile.
    #[error("websites use this profile; choose another profile for them first")]
    VoiceInUse,
    /// The default profile cannot be removed.
    #[error(
        "the default profile cannot be removed, because websites that chose no profile use it; make another one the default first"
    )]
    DefaultVoice,
    /// The URL is not allowed for hooks.
    #[error("the webhook URL is refused: {0}")]
    HookAddress(#[source] AddressError),
    /// The URL is not allowed for articles.
    #[error("the address for articles is refused: {0}")]
    PushAddress(#[source] AddressError),
    /// Another website uses the folder.
    #[error("another website uses this folder; choose another name")]
    FolderTaken,
    /// The account has no such key.
    #[error("the account has no such key; `key list` shows its keys")]
    KeyNotFound,
    /// The key exists already. Its secret was shown only once.
    #[error(
        "this key exists already, and a key is shown only once; if you did not copy it, revoke it and make another one"
    )]
    KeyMadeBefore,
    /// The account's name is taken.
    #[error("an account with this name exists; choose another name")]
    NameTaken,
    /// The page token is forged, expired, or belongs to another list.
    #[error("unknown or expired page token; start again with the first page")]
    PageToken,
    /// Another user of the account has this e-mail address.
    #[error("a user with this e-mail address exists already in the account; use another address")]
    EmailTaken,
    /// The account has no such user.
    #[error("the account has no such user; check the e-mail address")]
    UserNotFound,
    /// The last user of an account cannot be removed.
    #[error("the last user of an account cannot be removed; add another one first")]
    LastUser,
    /// Only the last user of an account can delete it.
    #[error("the account has other users; remove them first, then delete the account")]
    OtherUsers,
    /// A key needs an active website.
    #[error("a key needs an active website, and the account has none; create one with `website create`")]
    WebsiteRequired,
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
    /// Only failed deliveries can be sent again together.
    #[error("only failed deliveries can be sent again together; choose one of the failed states")]
    NotFailed,
    /// The delivery is being sent.
    #[error("the delivery is being sent; check its attempts in a minute")]
    InFlight,
    /// The secret cannot be decrypted.
    #[error(transparent)]
    UnreadableSecret(#[from] UnreadableSecret),
    /// Too many such requests are waiting.
    #[error(transparent)]
    Busy(#[from] Busy),
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

fn list(violations: &[ProfileViolation]) -> String {
    let described = violations.iter().map(|violation| format!("{} {}", violation.field, violation.message));
    described.collect::<Vec<_>>().join("; ")
}

/// Returns an error if the text cannot be an id. Saves a query to the store.
pub(super) fn check_id(what: &'static str, id: &str) -> Result<(), AdminError> {
    let is_id = (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_id { Ok(()) } else { Err(AdminError::NotAnId(what)) }
}
