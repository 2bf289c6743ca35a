//! Finds the operation of the document that a request asks for.

use http::Method;

/// An operation of `openapi.yaml`, named after its `operationId`. `HEAD` counts as `GET`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `POST /api/v1/generate`
    Generate,
    /// `GET /api/v1/jobs/{job_id}`
    GetJob,
    /// `POST /api/v1/jobs/{job_id}/cancel`
    CancelJob,
    /// `GET /api/v1/articles`
    ListArticles,
    /// `GET /api/v1/articles/{id}`
    GetArticle,
    /// `GET /api/v1/leads`
    ListLeads,
    /// `GET /api/v1/leads/{lead_id}`
    GetLead,
    /// `GET /api/v1/scheduled_posts`
    ListScheduledPosts,
    /// `GET /api/v1/scheduled_posts/{scheduled_post_id}`
    GetScheduledPost,
    /// `GET /api/v1/websites`
    ListWebsites,
    /// `POST /capture/{website_id}`
    CaptureLead,
}

impl Operation {
    /// Returns the operation for `method` and `path`, and the id in the path, still percent-encoded.
    pub(super) fn parse<'path>(method: &Method, path: &'path str) -> Option<(Self, Option<&'path str>)> {
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        let is_post = *method == Method::POST;
        let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        match segments[..] {
            ["api", "v1", "generate"] if is_post => Some((Self::Generate, None)),
            ["api", "v1", "jobs", id] if is_read => Some((Self::GetJob, Some(id))),
            ["api", "v1", "jobs", id, "cancel"] if is_post => Some((Self::CancelJob, Some(id))),
            ["api", "v1", "articles"] if is_read => Some((Self::ListArticles, None)),
            ["api", "v1", "articles", id] if is_read => Some((Self::GetArticle, Some(id))),
            ["api", "v1", "leads"] if is_read => Some((Self::ListLeads, None)),
            ["api", "v1", "leads", id] if is_read => Some((Self::GetLead, Some(id))),
            ["api", "v1", "scheduled_posts"] if is_read => Some((Self::ListScheduledPosts, None)),
            ["api", "v1", "scheduled_posts", id] if is_read => Some((Self::GetScheduledPost, Some(id))),
            ["api", "v1", "websites"] if is_read => Some((Self::ListWebsites, None)),
            ["capture", id] if is_post => Some((Self::CaptureLead, Some(id))),
            _ => None,
        }
    }

    /// Returns true if the operation returns a page of rows.
    pub fn is_list(self) -> bool {
        matches!(self, Self::ListArticles | Self::ListLeads | Self::ListScheduledPosts | Self::ListWebsites)
    }
}
