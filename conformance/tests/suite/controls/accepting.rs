//! A server that responds to every request with 2xx in the documented form. Lists are empty, articles contain no text, and no request is
//! rejected.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::in_memory::InMemory;
use crate::support::{Seen, answer};

const NOW: &str = "2026-11-02T08:00:00.000Z";

/// Starts the server.
pub(super) fn start() -> Arc<InMemory> {
    let count = AtomicU32::new(0);
    InMemory::new(move |seen| reply(seen, count.fetch_add(1, Ordering::Relaxed)), |_| Duration::ZERO)
}

fn reply(seen: &Seen, number: u32) -> Vec<u8> {
    let id = format!("req_{number}");
    if seen.header("authorization").is_some_and(|key| key.contains("_small_")) {
        return spent(&id);
    }
    let path = seen.path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').collect();
    let ordered: Value = serde_json::from_slice(&seen.body).unwrap_or_default();
    let (status, body) = match parts.as_slice() {
        ["", "api", "v1", "generate"] => (202, job(&format!("job_{number}"), &ordered)),
        ["", "api", "v1", "jobs", id, ..] => (200, job(id, &ordered)),
        ["", "api", "v1", "articles", id, ..] => (200, article(id)),
        ["", "api", "v1", "leads", id, ..] => (200, lead(id)),
        ["", "capture", ..] => (202, json!({})),
        _ => (200, json!({ "items": [], "next_page": null })),
    };
    let headers = [
        ("content-type", "application/json"),
        ("cache-control", if path.contains("/leads") { "no-store" } else { "private, no-cache" }),
        ("date", "Mon, 02 Nov 2026 08:00:00 GMT"),
        ("etag", "\"empty\""),
        ("last-modified", "Mon, 02 Nov 2026 08:00:00 GMT"),
        ("x-request-id", id.as_str()),
        ("ratelimit-policy", "\"api\";q=100000;w=60"),
        ("ratelimit", "\"api\";r=99999;t=60"),
        ("retry-after", "1"),
        ("location", "/api/v1/jobs/job_1"),
    ];
    let body = if seen.method == "HEAD" { String::new() } else { body.to_string() };
    answer(status, &headers, body.as_bytes())
}

/// Returns a permanent rejection of the key with a small quota.
fn spent(request_id: &str) -> Vec<u8> {
    let headers = [
        ("content-type", "application/problem+json"),
        ("cache-control", "no-store"),
        ("x-request-id", request_id),
        ("ratelimit-policy", "\"api\";q=2;w=1"),
        ("ratelimit", "\"api\";r=0;t=1"),
        ("retry-after", "1"),
    ];
    let body = json!({
        "type": "https://iana.org/assignments/http-problem-types#quota-exceeded", "title": "Quota exceeded", "status": 429,
        "detail": "No more.", "code": "rate_limited", "request_id": request_id, "violated-policies": ["generate"],
    });
    answer(429, &headers, body.to_string().as_bytes())
}

fn job(id: &str, ordered: &Value) -> Value {
    json!({
        "job_id": id, "status": "completed", "done": true, "progress": 100, "attempts": 1,
        "website_id": ordered["website_id"].as_str().unwrap_or("web_main"), "topic": ordered["topic"].as_str().unwrap_or(""),
        "metadata": if ordered["metadata"].is_object() { ordered["metadata"].clone() } else { json!({}) },
        "article_id": format!("art_{id}"), "scheduled_post_id": "post_1",
        "created_at": NOW, "started_at": NOW, "finished_at": NOW,
    })
}

fn article(id: &str) -> Value {
    json!({
        "id": id, "job_id": null, "website_id": "web_main", "status": "draft", "topic": "", "title": "Nothing", "slug": "nothing",
        "url": null, "excerpt": "", "meta_title": "", "meta_description": "n".repeat(60), "content_markdown": "\n",
        "content_html": "\n", "outline": [], "keywords": [], "tags": [], "faq": [], "internal_links": [],
        "json_ld": { "@context": "https://schema.org", "@graph": [{ "@type": "BlogPosting", "headline": "Nothing" }] },
        "language": "en", "word_count": 0, "reading_time_minutes": 1, "voice": { "passed": true, "checks": [] },
        "generator": { "name": "none", "version": "0" }, "metadata": {}, "created_at": NOW, "updated_at": NOW,
        "published_at": null,
    })
}

fn lead(id: &str) -> Value {
    json!({ "id": id, "website_id": "web_main", "captured_at": NOW })
}
