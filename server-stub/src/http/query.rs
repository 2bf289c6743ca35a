//! Query strings as pairs. Which of them mean something is decided by the document, in `app`.

use http::Uri;

/// The query's names and values, decoded, in the order sent.
pub(super) fn pairs(uri: &Uri) -> Vec<(String, String)> {
    url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect()
}
