//! Verified hooks as arguments of axum's handlers (feature `axum`).

use axum_core::body::Body;
use axum_core::extract::{FromRef, FromRequest, Request};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

use super::rejection::HookRejection;
use super::{Verified, Verifier};
use crate::platform;

/// Maximum size of a body in bytes. Senders of this API stay below it.
const LARGEST_BODY: usize = 64 * 1024;

/// A hook with a valid signature, as an argument of an axum handler.
///
/// The [`Verifier`] is taken from the router's state. A request without a valid signature is answered with 400, a body
/// over 64 KiB with 413; neither reaches the handler.
///
/// ```
/// use contentgen_sdk::webhook::{HookEvent, Verified, Verifier};
///
/// async fn receive(hook: Verified) -> http::StatusCode {
///     match hook.event() {
///         Ok(HookEvent::ArticlePublished(event)) => println!("{} is published", event.data.article.id),
///         Ok(_) => {}
///         // This version cannot read it. With an error the sender retries, so the event is not lost while the program is updated.
///         Err(error) => {
///             eprintln!("{} cannot be read: {error}", hook.id());
///             return http::StatusCode::SERVICE_UNAVAILABLE;
///         }
///     }
///     http::StatusCode::NO_CONTENT
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let verifier = Verifier::new(["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"])?;
/// let router: axum::Router = axum::Router::new().route("/hooks", axum::routing::post(receive)).with_state(verifier);
/// # Ok(())
/// # }
/// ```
impl<S> FromRequest<S> for Verified
where
    Verifier: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = HookRejection;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let (head, body) = request.into_parts();
        let body = whole(body).await?;
        let verifier = Verifier::from_ref(state);
        let checked = verifier.check(&head.headers, &body, platform::now()).map_err(HookRejection::Refused)?;
        let (id, signed_at) = checked;
        Ok(Self::new(id, signed_at, body))
    }
}

/// Reads a whole body, up to the limit.
async fn whole(body: Body) -> Result<Bytes, HookRejection> {
    match Limited::new(body, LARGEST_BODY).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(HookRejection::TooLarge { limit: LARGEST_BODY }),
        Err(_broken) => Err(HookRejection::Incomplete),
    }
}
