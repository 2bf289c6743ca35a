//! The audit trail: a record of each change in an account, with its actor. The store writes an entry together with the change.

use super::clock::Timestamp;
use super::id::{self, Kind};
use super::personal::Personal;
use super::randomness::Randomness;

/// Maximum number of characters of an entry's detail; the rest is cut off.
pub const MAX_DETAIL_CHARS: usize = 300;

/// Actor of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The operator, who runs the program's commands.
    Operator,
    /// A user, by e-mail address.
    User(Personal<String>),
}

impl Actor {
    /// Returns the name in the trail.
    pub fn name(&self) -> &str {
        match self {
            Self::Operator => "operator",
            Self::User(email) => email,
        }
    }
}

/// Defines the actions of the trail. The doc comment of each action is also its text in the dashboard, so it must be one
/// sentence.
macro_rules! actions {
    ($(#[doc = $words:literal] $name:ident = $text:literal,)*) => {
        /// A change, as recorded in the trail.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $(#[doc = $words] $name,)* }

        impl Action {
            /// Returns the name in the trail.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// All actions, in display order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the action with that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|action| action.as_str() == name)
            }

            /// Returns the sentence for display.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words.trim_ascii(),)* }
            }
        }
    };
}

actions! {
    /// A website was made.
    WebsiteCreated = "website.created",
    /// A website's settings or its state were changed.
    WebsiteChanged = "website.changed",
    /// A website was deleted.
    WebsiteDeleted = "website.deleted",
    /// A platform key was made.
    KeyCreated = "key.created",
    /// A platform key was revoked.
    KeyRevoked = "key.revoked",
    /// A Brand DNA profile was made or changed.
    VoiceSaved = "voice.saved",
    /// A Brand DNA profile became the account's default.
    VoiceMadeDefault = "voice.made_default",
    /// A Brand DNA profile was removed.
    VoiceRemoved = "voice.removed",
    /// An article was queued.
    ArticleQueued = "article.queued",
    /// A job was cancelled.
    JobCancelled = "job.cancelled",
    /// A finished article was approved, to be published at once or at a set time.
    PostApproved = "post.approved",
    /// A post got another time.
    PostRescheduled = "post.rescheduled",
    /// A failed post was tried again.
    PostRetried = "post.retried",
    /// A post's time was taken away.
    PostUnscheduled = "post.unscheduled",
    /// A post was cancelled.
    PostCancelled = "post.cancelled",
    /// A user changed the text of an article.
    ArticleEdited = "article.edited",
    /// A changed article was sent again to the place of its publication.
    ArticleResent = "article.resent",
    /// An article was taken down.
    ArticleArchived = "article.archived",
    /// An article that was taken down became a draft again.
    ArticleRestored = "article.restored",
    /// A lead was erased.
    LeadErased = "lead.erased",
    /// Leads were exported.
    LeadsExported = "leads.exported",
    /// A hook endpoint was registered.
    HookCreated = "hook.created",
    /// A hook endpoint's settings were changed.
    HookChanged = "hook.changed",
    /// A hook endpoint was paused.
    HookPaused = "hook.paused",
    /// A hook endpoint was resumed.
    HookResumed = "hook.resumed",
    /// A hook endpoint was removed.
    HookRemoved = "hook.removed",
    /// A hook endpoint got a new secret.
    HookSecretRotated = "hook.secret_rotated",
    /// The secret of a hook endpoint was shown.
    HookSecretRevealed = "hook.secret_revealed",
    /// A test event was sent.
    HookTested = "hook.tested",
    /// Deliveries were sent again.
    Redelivered = "hook.redelivered",
    /// The account was made.
    AccountCreated = "account.created",
    /// The account was renamed.
    AccountRenamed = "account.renamed",
    /// The account was deleted.
    AccountDeleted = "account.deleted",
    /// A user was added.
    UserAdded = "user.added",
    /// A user was removed.
    UserRemoved = "user.removed",
    /// A one-time link to sign in was made.
    SignInLinkMade = "user.sign_in_link",
    /// A user signed in.
    SignedIn = "user.signed_in",
    /// A user set a password.
    PasswordSet = "user.password_set",
    /// A user signed out.
    SignedOut = "user.signed_out",
    /// A user ended another session of theirs.
    SessionEnded = "user.session_ended",
    /// A user signed out everywhere.
    SignedOutEverywhere = "user.signed_out_everywhere",
}

/// An entry of the trail. It names the changed record by its id and contains no secret and no data of a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// `audit_…`.
    pub id: String,
    /// The account.
    pub account_id: String,
    /// Time of the change.
    pub at: Timestamp,
    /// Actor: an e-mail address, or `operator`.
    pub actor: Personal<String>,
    /// Action, as [`Action::as_str`] names it. An entry of a newer server version may have an unknown name.
    pub action: String,
    /// Id of the changed record.
    pub subject: Option<String>,
    /// Detail for display, at most [`MAX_DETAIL_CHARS`] characters.
    pub detail: Option<Personal<String>>,
}

impl AuditEntry {
    /// Creates a new entry.
    pub fn new(
        account_id: &str,
        actor: &Actor,
        (action, subject): (Action, Option<&str>),
        detail: Option<&str>,
        now: Timestamp,
        randomness: &dyn Randomness,
    ) -> Self {
        Self {
            id: id::new(Kind::AuditEntry, now, randomness),
            account_id: account_id.to_owned(),
            at: now,
            actor: actor.name().to_owned().into(),
            action: action.as_str().to_owned(),
            subject: subject.map(str::to_owned),
            detail: detail.map(|detail| detail.chars().take(MAX_DETAIL_CHARS).collect::<String>().into()),
        }
    }
}
