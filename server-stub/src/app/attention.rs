//! Lists the problems of an account that need a user's attention, and its first steps.

use std::time::Duration;

use super::App;
use crate::domain::account::Account;
use crate::domain::clock::Timestamp;
use crate::domain::hook::EndpointStatus;
use crate::domain::personal::Personal;
use crate::domain::post::PostStatus;
use crate::domain::store::{FirstSteps, PageRequest, PostFilter, Result};

/// Time before a key's expiry from which it needs attention.
const KEY_NOTICE: Duration = Duration::from_hours(14 * 24);
/// Maximum number of listed posts per state. The pipeline shows all.
const MAX_POSTS: u32 = 10;

/// A problem that needs attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    /// Time since which the problem exists.
    pub since: Timestamp,
    /// Subject of the problem.
    pub subject: Subject,
}

/// Subject of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A post failed.
    FailedPost {
        /// `post_…`.
        post_id: String,
        /// Topic of the post.
        topic: String,
        /// Reason of the failure.
        reason: String,
    },
    /// A post waits for approval.
    PostToApprove {
        /// `post_…`.
        post_id: String,
        /// Topic of the post.
        topic: String,
    },
    /// A hook endpoint was disabled.
    DisabledEndpoint {
        /// `hook_…`.
        endpoint_id: String,
        /// URL of the endpoint.
        url: String,
        /// True if its receiver responded that it is gone.
        is_gone: bool,
    },
    /// A hook endpoint fails.
    FailingEndpoint {
        /// `hook_…`.
        endpoint_id: String,
        /// URL of the endpoint.
        url: String,
    },
    /// A key expires soon.
    ExpiringKey {
        /// Name of the key.
        name: String,
        /// Time of expiry.
        expires_at: Timestamp,
    },
    /// A website is paused while jobs wait for it.
    StalledWebsite {
        /// `web_…`.
        website_id: String,
        /// Name of the website.
        name: String,
        /// Number of waiting jobs.
        unfinished: u64,
    },
    /// A user has no password.
    UserWithoutPassword {
        /// E-mail address of the user.
        email: Personal<String>,
    },
}

impl App {
    /// Returns the problems that need attention now, newest first.
    pub async fn attention(&self, account: &Account) -> Result<Vec<Attention>> {
        let mut found = Vec::new();
        self.add_posts(account, &mut found).await?;
        self.add_endpoints(account, &mut found).await?;
        let now = self.clock.wall();
        for key in self.store.expiring_keys(&account.id, now, now.plus(KEY_NOTICE)).await? {
            let subject = Subject::ExpiringKey { name: key.name, expires_at: key.expires_at };
            let since = key.expires_at.minus(KEY_NOTICE).max(key.created_at);
            found.push(Attention { since, subject });
        }
        for website in self.store.stalled_websites(&account.id).await? {
            let (website_id, name, unfinished) = (website.id, website.name, website.unfinished);
            let subject = Subject::StalledWebsite { website_id, name, unfinished };
            found.push(Attention { since: website.updated_at, subject });
        }
        for user in self.store.list_users(&account.id).await? {
            if user.password_hash.is_none() {
                found.push(Attention {
                    since: user.created_at,
                    subject: Subject::UserWithoutPassword { email: user.email },
                });
            }
        }
        found.sort_by_key(|attention| std::cmp::Reverse(attention.since));
        Ok(found)
    }

    async fn add_posts(&self, account: &Account, found: &mut Vec<Attention>) -> Result<()> {
        let visibility = account.visibility();
        let page = PageRequest { after: None, limit: MAX_POSTS };
        for status in [PostStatus::Failed, PostStatus::Ready] {
            let filter = PostFilter { status: Some(status), ..PostFilter::default() };
            for post in self.store.list_posts(&visibility, &filter, &page).await? {
                let (since, post_id, topic) = (post.updated_at, post.id, post.topic);
                let subject = match status {
                    PostStatus::Failed => {
                        let reason = post.error.map(|error| error.message).unwrap_or_default();
                        Subject::FailedPost { post_id, topic, reason }
                    }
                    _ => Subject::PostToApprove { post_id, topic },
                };
                found.push(Attention { since, subject });
            }
        }
        Ok(())
    }

    async fn add_endpoints(&self, account: &Account, found: &mut Vec<Attention>) -> Result<()> {
        let now = self.clock.steady();
        for state in self.store.list_hook_endpoints(&account.id).await? {
            let (endpoint_id, url) = (state.endpoint.id, state.endpoint.url);
            let since = state.last_failure_at.unwrap_or(state.endpoint.created_at);
            let subject = match state.endpoint.status {
                EndpointStatus::Disabled => {
                    let is_gone = state.disabled_reason.as_deref() == Some("gone");
                    Subject::DisabledEndpoint { endpoint_id, url, is_gone }
                }
                EndpointStatus::Active if state.health.is_failing(now) => Subject::FailingEndpoint { endpoint_id, url },
                EndpointStatus::Active | EndpointStatus::Paused => continue,
            };
            found.push(Attention { since, subject });
        }
        Ok(())
    }

    /// Returns which of the first steps are done.
    pub async fn first_steps(&self, account: &Account) -> Result<FirstSteps> {
        self.store.first_steps(&account.id).await
    }
}
