//! Lists the operations of the public API by `operationId`, each with its API scope and its quota. Paths and methods are in `http`.

use crate::domain::key::ApiScope;
use crate::domain::names::names;

names! {
    /// An operation of the public API, named by its `operationId`.
    #[expect(missing_docs, reason = "the document describes each operation under its `operationId`")]
    pub enum Operation {
        Generate = "generate",
        GetArticle = "get_article",
        ListArticles = "list_articles",
        GetJob = "get_job",
        CancelJob = "cancel_job",
        ListLeads = "list_leads",
        GetLead = "get_lead",
        ListScheduledPosts = "list_scheduled_posts",
        GetScheduledPost = "get_scheduled_post",
        ListWebsites = "list_websites",
    }
}

names! {
    /// Quota that a request is charged to.
    #[derive(Hash)]
    pub enum RateLimitPolicy {
        /// `POST /generate`.
        Generate = "generate",
        /// Every other operation.
        Api = "api",
    }
}

impl Operation {
    /// Returns the API scope that the key needs.
    pub const fn scope(self) -> ApiScope {
        match self {
            Self::Generate | Self::CancelJob => ApiScope::GenerateWrite,
            Self::GetArticle | Self::ListArticles => ApiScope::ArticlesRead,
            Self::GetJob | Self::ListScheduledPosts | Self::GetScheduledPost => ApiScope::JobsRead,
            Self::ListLeads | Self::GetLead => ApiScope::LeadsRead,
            Self::ListWebsites => ApiScope::WebsitesRead,
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
