//! Lists the operations of the public API by `operationId`, each with its API scope and its quota. Paths and methods are in `http`.

use crate::domain::key::Permission;

/// An operation of the public API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `generate`
    Generate,
    /// `get_article`
    GetArticle,
    /// `list_articles`
    ListArticles,
    /// `get_job`
    GetJob,
    /// `cancel_job`
    CancelJob,
    /// `list_leads`
    ListLeads,
    /// `get_lead`
    GetLead,
    /// `list_scheduled_posts`
    ListScheduledPosts,
    /// `get_scheduled_post`
    GetScheduledPost,
    /// `list_websites`
    ListWebsites,
}

/// Quota that a request is charged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitPolicy {
    /// `POST /generate`.
    Generate,
    /// Every other operation.
    Api,
}

impl RateLimitPolicy {
    /// Returns the name in `RateLimit-Policy`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Api => "api",
        }
    }
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 10] = [
        Self::Generate,
        Self::GetArticle,
        Self::ListArticles,
        Self::GetJob,
        Self::CancelJob,
        Self::ListLeads,
        Self::GetLead,
        Self::ListScheduledPosts,
        Self::GetScheduledPost,
        Self::ListWebsites,
    ];

    /// Returns the `operationId` in the document.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::GetArticle => "get_article",
            Self::ListArticles => "list_articles",
            Self::GetJob => "get_job",
            Self::CancelJob => "cancel_job",
            Self::ListLeads => "list_leads",
            Self::GetLead => "get_lead",
            Self::ListScheduledPosts => "list_scheduled_posts",
            Self::GetScheduledPost => "get_scheduled_post",
            Self::ListWebsites => "list_websites",
        }
    }

    /// Returns the API scope that the key needs.
    pub const fn permission(self) -> Permission {
        match self {
            Self::Generate | Self::CancelJob => Permission::GenerateWrite,
            Self::GetArticle | Self::ListArticles => Permission::ArticlesRead,
            Self::GetJob | Self::ListScheduledPosts | Self::GetScheduledPost => Permission::JobsRead,
            Self::ListLeads | Self::GetLead => Permission::LeadsRead,
            Self::ListWebsites => Permission::WebsitesRead,
        }
    }

    /// Returns the quota that the operation is charged to.
    pub const fn policy(self) -> RateLimitPolicy {
        match self {
            Self::Generate => RateLimitPolicy::Generate,
            _ => RateLimitPolicy::Api,
        }
    }
}
