//! Faults in problems, headers, methods and routes.

use super::fault::{Fault, in_answers, in_requests};
use serde_json::json;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = bodies();
    all.extend(headers());
    all
}

fn bodies() -> Vec<Fault> {
    vec![
        in_answers("problems.title.table", |answer| {
            answer.edit(|body| {
                if body["code"] == "job_not_found" {
                    body["title"] = json!("Gone missing");
                }
            });
        }),
        in_answers("problems.code.table", |answer| {
            answer.edit(|body| {
                if body["code"] == "job_not_found" {
                    body["code"] = json!("job_missing");
                }
            });
        }),
        in_answers("problems.body.schema", |answer| {
            answer.edit(|body| {
                if body["code"].is_string() {
                    body["status"] = json!(400);
                }
            });
        }),
        in_answers("problems.instance.path", |answer| {
            answer.edit(|body| {
                if let Some(path) = body["instance"].as_str() {
                    body["instance"] = json!(format!("{path}?a=b"));
                }
            });
        }),
        in_answers("problems.detail.no-internals", |answer| {
            answer.edit(|body| {
                if body["code"] == "invalid_json" {
                    body["detail"] = json!("thread panicked at src/body.rs:12");
                }
            });
        }),
        in_answers("problems.request-id.same", |answer| answer.set("x-request-id", "another")),
        in_answers("http.server-error.never", |answer| {
            if answer.status == 422 {
                answer.status = 500;
            }
        }),
        in_answers("http.status.documented", |answer| {
            if answer.status == 202 {
                answer.status = 299;
            }
        }),
        in_answers("auth.key.never-echoed", |answer| {
            answer.edit(|body| body["hint"] = json!("your key is {key}"));
        }),
        in_answers("generate.invalid.every-fault", |answer| {
            answer.edit(|body| {
                if let Some(errors) = body["errors"].as_array_mut() {
                    errors.truncate(1);
                }
            });
        }),
        in_answers("generate.website.unknown", |answer| {
            answer.edit(|body| {
                if body["code"] == "website_not_found" {
                    body["code"] = json!("validation_failed");
                }
            });
        }),
        in_answers("jobs.unknown.not-found", |answer| {
            answer.edit(|body| {
                if body["code"] == "job_not_found" {
                    body["code"] = json!("route_not_found");
                }
            });
        }),
        in_answers("articles.unknown.not-found", |answer| {
            if answer.path.contains("/articles/") && answer.status == 404 {
                answer.status = 403;
            }
        }),
        in_answers("http.order.route-first", |answer| {
            if answer.header("content-type").contains("problem") && answer.status == 405 {
                answer.status = 401;
            }
        }),
    ]
}

fn headers() -> Vec<Fault> {
    vec![
        in_answers("http.request-id.present", |answer| {
            answer.headers.remove("x-request-id");
        }),
        in_answers("http.request-id.own", |answer| answer.set("x-request-id", "always-the-same")),
        in_answers("problems.body.media-type", |answer| {
            if answer.status >= 400 {
                answer.set("content-type", "application/json");
            }
        }),
        in_answers("problems.cache.no-store", |answer| {
            if answer.status >= 400 {
                answer.headers.remove("cache-control");
            }
        }),
        in_answers("http.quota.announced", |answer| {
            answer.headers.remove("ratelimit");
        }),
        in_answers("http.quota.announced", |answer| {
            answer.headers.remove("ratelimit-policy");
        }),
        in_answers("limits.quota.exceeded", |answer| {
            answer.headers.remove("retry-after");
        }),
        in_answers("limits.quota.counts-down", |answer| answer.set("ratelimit", "\"api\";r=5;t=2")),
        in_answers("auth.missing.challenge", |answer| {
            answer.headers.remove("www-authenticate");
        }),
        in_answers("http.method.not-allowed", |answer| {
            answer.headers.remove("allow");
        }),
        in_answers("http.head.like-get", |answer| {
            if answer.method == http::Method::HEAD {
                answer.headers.remove("cache-control");
            }
        }),
        in_requests("http.route.unknown", |request, _| {
            request.path = request.path.trim_end_matches('/').to_owned();
        }),
        in_requests("http.id.percent-encoded", |request, _| request.path = request.path.replace('%', "%25")),
    ]
}
