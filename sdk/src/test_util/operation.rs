//! Methods and paths of the operations.

use wiremock::Request;

/// Each operation with its method and the segments of its path; `*` stands for an id.
const OPERATIONS: [(&str, &str, &[&str]); 11] = [
    ("generate", "POST", &["api", "v1", "generate"]),
    ("list_articles", "GET", &["api", "v1", "articles"]),
    ("get_article", "GET", &["api", "v1", "articles", "*"]),
    ("get_job", "GET", &["api", "v1", "jobs", "*"]),
    ("cancel_job", "POST", &["api", "v1", "jobs", "*", "cancel"]),
    ("list_leads", "GET", &["api", "v1", "leads"]),
    ("get_lead", "GET", &["api", "v1", "leads", "*"]),
    ("list_scheduled_posts", "GET", &["api", "v1", "scheduled_posts"]),
    ("get_scheduled_post", "GET", &["api", "v1", "scheduled_posts", "*"]),
    ("list_websites", "GET", &["api", "v1", "websites"]),
    ("capture_lead", "POST", &["capture", "*"]),
];

/// Returns true if there is an operation of this name.
pub(super) fn is_known(name: &str) -> bool {
    OPERATIONS.iter().any(|(known, ..)| *known == name)
}

/// Returns the operation of a request, and the id in its path.
pub(super) fn of(request: &Request) -> Option<(&'static str, Option<String>)> {
    let path = request.url.path().strip_prefix('/')?;
    let segments: Vec<&str> = path.split('/').collect();
    OPERATIONS.iter().find_map(|(name, method, pattern)| {
        let fits = request.method.as_str() == *method
            && pattern.len() == segments.len()
            && pattern.iter().zip(&segments).all(|(wanted, segment)| *wanted == "*" || wanted == segment);
        let id = pattern.iter().zip(&segments).find(|(wanted, _)| **wanted == "*").map(|(_, segment)| decoded(segment));
        fits.then_some((*name, id))
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
