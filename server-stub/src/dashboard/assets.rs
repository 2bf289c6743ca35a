//! Built-in style sheet, script and icons.

use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

use super::error::{Failure, Result};

/// Short, because the address does not change with the content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Returns the file with the given name.
pub(super) async fn asset(Path(name): Path<String>) -> Result {
    let (text, media_type) = match name.as_str() {
        "dashboard.css" => (include_str!("assets/dashboard.css"), "text/css; charset=utf-8"),
        "dashboard.js" => (include_str!("assets/dashboard.js"), "text/javascript; charset=utf-8"),
        "icons.svg" => (include_str!("assets/icons.svg"), "image/svg+xml"),
        _ => return Err(Failure::NotFound),
    };
    let mut response: Response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(CACHE_CONTROL, CACHING);
    Ok(response)
}
