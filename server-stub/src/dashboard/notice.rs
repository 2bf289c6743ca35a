//! Messages at the top of a page after a form was processed. The address contains the notice's name, never its text.

use super::Form;

/// Notice on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoticeText {
    /// CSS class: `good` or `info`.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

macro_rules! notices {
    ($($name:ident = $key:literal, $kind:literal, $text:literal;)*) => {
        /// Notice to show.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Notice { $($name,)* }

        impl Notice {
            const ALL: &[Self] = &[$(Self::$name),*];

            const fn row(self) -> (&'static str, &'static str, &'static str) {
                match self { $(Self::$name => ($key, $kind, $text),)* }
            }
        }
    };
}

// `{count}` is replaced by the number in the address.
notices! {
    // The account.
    PasswordSet = "password-set", "good", "Your password is set. All your other sessions have ended.";
    SignedInWithoutPassword = "no-password", "info", "You have no password yet. Set one under Account, to sign in without a link the next time.";
    AccountRenamed = "account-renamed", "good", "The account is renamed.";
    UserRemoved = "user-removed", "good", "The user is removed, and all their sessions have ended.";
    SessionEnded = "session-ended", "good", "The session has ended.";
    // Leads.
    LeadErased = "lead-erased", "good", "The lead is erased, with its event, the deliveries and their attempts.";
    PersonErased = "person-erased", "good", "Leads of this person that were erased, with all that was made of them: {count}.";
    // Keys.
    KeyRevoked = "key-revoked", "good", "The key is revoked: it is refused from the next request on.";
    KeyMadeBefore = "key-made-before", "info", "This form already made a key, so no second one was made. A key is shown only once. If you did not copy it, revoke it and make another one.";
    // Brand DNA.
    VoiceCreated = "voice-created", "good", "The profile is made. Choose it in the settings of a website, or make it the default.";
    VoiceSaved = "voice-saved", "good", "Version {count} is saved. Articles whose writing begins from now on follow it.";
    VoiceUnchanged = "voice-unchanged", "info", "Nothing was changed, so there is no new version.";
    VoiceRestored = "voice-restored", "good", "Restored as version {count}.";
    VoiceMadeDefault = "voice-default", "good", "This profile is the default now.";
    VoiceRemoved = "voice-removed", "good", "The profile is removed.";
    // Websites.
    WebsiteCreated = "website-created", "good", "The website is made.";
    WebsiteSaved = "website-saved", "good", "The website is saved.";
    WebsiteActivated = "website-activated", "good", "The website is active: articles are written and leads are taken.";
    WebsitePaused = "website-paused", "good", "The website is paused: no new articles and leads are taken.";
    WebsiteArchived = "website-archived", "good", "The website is archived. Its published articles stay where they are.";
    WebsiteDeleted = "website-deleted", "good", "The website is deleted. Its records are removed within minutes.";
    PublishingSaved = "publishing-saved", "good", "Articles that are published from now on go there.";
    // Hooks.
    HookSaved = "hook-saved", "good", "The endpoint is saved.";
    HookPaused = "hook-paused", "good", "The endpoint is paused: what is due waits, and what happens meanwhile can be recovered.";
    HookResumed = "hook-resumed", "good", "The endpoint is active. What waited for it is sent now.";
    HookRemoved = "hook-removed", "good", "The endpoint is removed, with its deliveries.";
    HookTested = "hook-tested", "info", "The test is on its way. This page shows the answer as soon as it is there.";
    HookRecovered = "hook-recovered", "good", "Due now, of what it missed: {count}.";
    Redelivered = "redelivered", "info", "The delivery is sent again. This page shows the answer as soon as it is there.";
    RedeliveredAll = "redelivered-all", "good", "Due now: {count}. The list shows how they fare.";
    // The pipeline.
    ArticleQueued = "article-queued", "good", "The article is queued. This page follows it.";
    PostPublishing = "post-publishing", "good", "It is published in a moment.";
    PostScheduled = "post-scheduled", "good", "It is published at the time you set.";
    PostUnscheduled = "post-unscheduled", "good", "Its time is taken away. It waits until you approve it.";
    PostRetried = "post-retried", "good", "It is tried again.";
    PostCancelled = "post-cancelled", "good", "It is cancelled and will not be published.";
    // Articles.
    ArticleEdited = "article-edited", "good", "Version {count} is saved.";
    ArticleUnchanged = "article-unchanged", "info", "Nothing was changed, so there is no new version.";
    ArticleResent = "article-resent", "info", "The article is sent again.";
    ArticleArchived = "article-archived", "good", "The article is archived. It is taken off the hosted site, and its file is removed; a system it was sent to keeps it.";
    ArticleRestored = "article-restored", "good", "The article is a draft again.";
}

impl Notice {
    /// Returns the query that makes the next page show the notice.
    pub(super) fn query(self, count: Option<u64>) -> String {
        let key = self.row().0;
        count.map_or_else(|| format!("notice={key}"), |count| format!("notice={key}&count={count}"))
    }

    /// Returns the notice that a query names.
    pub(super) fn of(query: &Form) -> Option<NoticeText> {
        let key = query.text("notice");
        let (_, kind, text) = Self::ALL.iter().map(|notice| notice.row()).find(|(name, ..)| *name == key)?;
        let count = query.text("count").parse::<u64>().unwrap_or_default();
        Some(NoticeText { kind, text: text.replace("{count}", &count.to_string()) })
    }
}
