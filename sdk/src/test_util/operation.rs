//! Methods and paths of the operations.

use wiremock::Request;

use crate::generated::facts::ALL;

/// Returns true if there is an operation of this name.
pub(super) fn is_known(name: &str) -> bool {
    ALL.iter().any(|operation| operation.id == name)
}

/// Returns the operation of a request, and the id in its path.
pub(super) fn of(request: &Request) -> Option<(&'static str, Option<String>)> {
    let segments: Vec<&str> = request.url.path().split('/').collect();
    ALL.iter().find_map(|operation| {
        let pattern: Vec<&str> = operation.path.split('/').collect();
        let is_id = |wanted: &str| wanted.starts_with('{');
        let fits = request.method == operation.method
            && pattern.len() == segments.len()
            && pattern.iter().zip(&segments).all(|(wanted, segment)| is_id(wanted) || wanted == segment);
        let id = pattern.iter().zip(&segments).find(|(wanted, _)| is_id(wanted)).map(|(_, segment)| decoded(segment));
        fits.then_some((operation.id, id))
    })
}

/// Decodes a segment of a path. Invalid escapes stay unchanged.
fn decoded(segment: &str) -> String {
    let mut parts = segment.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        } else {
            bytes.push(b'%');
            bytes.extend_from_slice(part.as_bytes());
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the problem code of an operation without a configured response.
pub(super) fn not_found(name: &str) -> &'static str {
    match name {
        "get_article" => "article_not_found",
        "get_job" | "cancel_job" => "job_not_found",
        "get_lead" => "lead_not_found",
        "get_scheduled_post" => "scheduled_post_not_found",
        "generate" => "website_not_found",
        "capture_lead" => "route_not_found",
        _ => "not_found",
    }
}
