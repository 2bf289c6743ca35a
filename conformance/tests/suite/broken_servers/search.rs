//! Faults in headers, ids, races, totals and the limits of single operations.

use std::sync::atomic::{AtomicU32, Ordering};

use http::Method;
use serde_json::json;

use super::fault::{Fault, Keys, in_answers, in_requests};
use super::proxy::Passing;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = headers();
    all.extend(ids());
    all.extend(races());
    all.extend(edges());
    all
}

/// Changes a header if the response has it.
fn change(answer: &mut Passing, name: &'static str, value: &str) {
    if answer.headers.contains_key(name) {
        answer.set(name, value);
    }
}

fn headers() -> Vec<Fault> {
    vec![
        in_answers("headers.etag.strong", |answer| change(answer, "etag", "W/\"1\"")),
        in_answers("headers.last-modified.date", |answer| change(answer, "last-modified", "2026-11-02T08:00:08Z")),
        in_answers("headers.location.reference", |answer| change(answer, "location", "/api/v1/jobs/the job")),
        in_answers("headers.content-location.reference", |answer| change(answer, "content-location", "<art>")),
        in_answers("headers.link.next", |answer| change(answer, "link", "/api/v1/articles; rel=next")),
        in_answers("headers.retry-after.seconds", |answer| change(answer, "retry-after", "0")),
        in_answers("headers.replayed.true", |answer| change(answer, "idempotency-replayed", "1")),
        in_answers("headers.preference.form", |answer| change(answer, "preference-applied", "(wait 2)")),
        in_answers("headers.challenge.bearer", |answer| change(answer, "www-authenticate", "Key realm=\"x\"")),
        in_answers("headers.allow.methods", |answer| change(answer, "allow", "get, head")),
        in_answers("headers.cache.private", |answer| change(answer, "cache-control", "max-age=60")),
        in_answers("headers.quota-policy.form", |answer| change(answer, "ratelimit-policy", "api;q=1;w=2")),
        in_answers("headers.quota.form", |answer| change(answer, "ratelimit", "\"api\";r=many")),
        in_answers("headers.allow.methods", |answer| {
            answer.headers.remove("allow");
        }),
    ]
}

/// Sends the other account's requests to such paths with the main account's key.
fn swap(request: &mut Passing, part: &str, keys: &Keys) {
    if request.path.contains(part) && request.header("authorization").contains(&keys.other) {
        request.set("authorization", &format!("Bearer {}", keys.main));
    }
}

fn ids() -> Vec<Fault> {
    vec![
        in_requests("isolation.ids.every", |request, keys| swap(request, "/jobs/", keys)),
        in_requests("isolation.articles.core", |request, keys| swap(request, "/articles/", keys)),
        in_answers("ids.kinds.own-place", |answer| {
            if answer.path.contains("/jobs/post_") {
                answer.status = 200;
            }
        }),
        in_answers("ids.jobs.no-crosstalk", |answer| {
            answer.edit_at("/articles/", |body| body["keywords"] = json!(["drawer 0"]));
        }),
    ]
}

fn races() -> Vec<Fault> {
    static CANCELS: AtomicU32 = AtomicU32::new(0);
    vec![
        // Cancelling returns success, and the job continues.
        in_requests("jobs.cancel.race-with-end", |request, _| {
            if let Some(path) = request.path.strip_suffix("/cancel") {
                request.path = path.to_owned();
                request.method = Method::GET;
            }
        }),
        in_answers("jobs.cancel.race-of-many", |answer| {
            if answer.path.ends_with("/cancel") && CANCELS.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
                answer.status = if answer.status == 200 { 409 } else { 200 };
            }
        }),
        in_requests("idempotency.concurrent.one-body", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_requests("idempotency.concurrent.many-jobs", |request, _| {
            if request.headers.contains_key("idempotency-key") {
                request.set("idempotency-key", "one-for-all");
            }
        }),
    ]
}

fn edges() -> Vec<Fault> {
    fn lose_first(answer: &mut Passing) {
        if answer.path.contains("page_token") {
            answer.edit_at("/scheduled_posts", |body| {
                if let Some(items) = body["items"].as_array_mut().filter(|items| !items.is_empty()) {
                    items.remove(0);
                }
            });
        }
    }
    vec![
        in_answers("pages.walk.exact-total", |answer| {
            answer.edit_at("/scheduled_posts", |body| {
                // A page that is exactly full lacks the row that shows whether another page follows.
                if body["items"].as_array().is_some_and(|items| items.len() == 6) {
                    body["next_page"] = json!(null);
                }
            });
        }),
        in_answers("pages.walk.same-moment", lose_first),
        in_answers("pages.walk.rows-racing", lose_first),
        in_requests("limits.body.everywhere", |request, _| {
            if request.body.len() > 64 * 1024 && request.method == Method::GET {
                request.body.clear();
            }
        }),
        in_requests("limits.quota.every-operation", |request, keys| {
            if request.path.contains("/leads") {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_answers("limits.quota.generate", |answer| {
            answer.edit_at("/generate", |body| {
                if body["code"] == "rate_limited" {
                    body["violated-policies"] = json!(["api"]);
                }
            });
        }),
    ]
}
