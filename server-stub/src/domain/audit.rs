//! The audit trail: who changed what in an account. What is changed is stored by the store's other parts, with the entry.

use super::clock::Timestamp;
use super::id::{self, Kind};
use super::personal::Personal;
use super::randomness::Randomness;

/// Most characters of an entry's detail; more are cut off.
pub const MAX_DETAIL_CHARS: usize = 300;

/// Who changes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Whoever can run the program's commands.
    Operator,
    /// A user, by e-mail address.
    User(Personal<String>),
}

impl Actor {
    /// The name in the trail.
    pub fn name(&self) -> &str {
        match self {
            Self::Operator => "operator",
            Self::User(email) => email,
        }
    }
}

/// What was done, as the trail names it. The line above each is also what people read, so it is one sentence.
macro_rules! actions {
    ($(#[doc = $words:literal] $name:ident = $text:literal,)*) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $(#[doc = $words] $name,)* }

        impl Action {
            /// The name in the trail.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// All of them, in the order in which they are listed for people.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The action with that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|action| action.as_str() == name)
            }

            /// The sentence that tells it to people.
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

/// A line of the trail. It names what was changed by its id and holds no secret and nothing of a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// `audit_…`.
    pub id: String,
    /// Whose trail.
    pub account_id: String,
    /// When.
    pub at: Timestamp,
    /// Who: an e-mail address, or `operator`.
    pub actor: Personal<String>,
    /// What, as [`Action::as_str`] names it. An entry of a newer version may have a name that this one does not know.
    pub action: String,
    /// The id of what was changed.
    pub subject: Option<String>,
    /// For people, at most [`MAX_DETAIL_CHARS`].
    pub detail: Option<Personal<String>>,
}

impl AuditEntry {
    /// A new entry.
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
