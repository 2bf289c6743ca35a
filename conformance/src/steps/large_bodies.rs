//! Requests with bodies over a limit.

use std::sync::Arc;

use crate::check::{Context, Exchange, Halt, Request};

/// Bodies over this many bytes exceed at least one limit of the document: the one of the lead form.
const LARGE: usize = 16 * 1024;

/// Sends a request. If the connection breaks during a large body, nothing is decided: a server may respond and close the connection
/// without reading such a body, and then the response can get lost.
pub(crate) async fn send(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let is_large = request.body.as_ref().is_some_and(|body| body.len() > LARGE);
    context.send(request).await.map_err(|halt| match halt {
        Halt::Fail(finding) if is_large && finding.is_without_response() && !finding.is_timeout() => {
            Halt::inconclusive(format!("the connection broke during a large body: {}", finding.observed))
        }
        other => other,
    })
}
