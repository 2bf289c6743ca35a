//! A proxy before the reference server that rejects everything. Rejections of the server pass unchanged, so they have the right form.

use http::Method;
use serde_json::json;

use crate::broken_servers::proxy::Passing;

/// Replaces every success by a rejection in the documented form.
pub(super) fn refuse(answer: &mut Passing) {
    if answer.status >= 400 {
        return;
    }
    let path = answer.path.split('?').next().unwrap_or_default().to_owned();
    let record = [("/articles/", "article"), ("/jobs/", "job"), ("/leads/", "lead")];
    let record = record.into_iter().find(|(part, _)| path.contains(part)).map(|(_, record)| record);
    let (status, code, title) = match record {
        Some(record) => {
            let (first, rest) = record.split_at(1);
            (404, format!("{record}_not_found"), format!("{}{rest} not found", first.to_uppercase()))
        }
        None => (403, "website_inactive".to_owned(), "Website inactive".to_owned()),
    };
    for name in ["etag", "last-modified", "link", "location", "content-location", "retry-after"] {
        answer.headers.remove(name);
    }
    answer.status = status;
    answer.set("content-type", "application/problem+json");
    answer.set("cache-control", "no-store");
    let problem = json!({
        "type": format!("urn:problem-type:content-generation:{code}"),
        "title": title,
        "status": status,
        "detail": "Nothing is for you.",
        "instance": path,
        "code": code,
        "request_id": answer.header("x-request-id"),
    });
    answer.body = if answer.method == Method::HEAD { Vec::new() } else { problem.to_string().into_bytes() };
}
