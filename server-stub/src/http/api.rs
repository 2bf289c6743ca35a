//! Resources that the handlers share, time limits of requests, and the id in a path.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts as _, RawPathParams};
use http::request::Parts;

use super::body::LargeBodies;
use super::quotas::Quotas;
use crate::app::App;
use crate::domain::public_url::PublicUrl;

/// Resources that the handlers use.
#[derive(Debug)]
pub(super) struct Api {
    pub(super) app: Arc<App>,
    pub(super) quotas: Quotas,
    /// Base of links to other paths. Pages of its origin may send lead forms to any website.
    pub(super) public_url: PublicUrl,
    pub(super) deadlines: Deadlines,
    pub(super) large_bodies: LargeBodies,
}

/// Time limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Limit for the headers. An idle connection is also closed after this time.
    pub headers: Duration,
    /// Limit for the body, from the time when the headers were read.
    pub body: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { headers: Duration::from_secs(30), body: Duration::from_secs(30) }
    }
}

/// Returns the decoded id in the path. An id that is not UTF-8 cannot exist, so it becomes an unknown id.
pub(super) async fn path_id(parts: &mut Parts) -> String {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    params.ok().and_then(|params| params.iter().next().map(|(_, id)| id.to_owned())).unwrap_or_default()
}
