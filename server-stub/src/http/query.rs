//! Parses query strings. `app` decides which parameters have a meaning.

use http::Uri;

/// Returns the decoded names and values of the query, in the order sent.
pub(super) fn pairs(uri: &Uri) -> Vec<(String, String)> {
    url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect()
}
