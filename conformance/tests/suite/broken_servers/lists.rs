//! Faults in lists, page tokens, filters and leads.

use super::fault::{Fault, in_answers, in_requests};
use serde_json::json;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = answers();
    all.extend(requests());
    all
}

fn answers() -> Vec<Fault> {
    vec![
        in_answers("answers.list-websites.schema", |answer| answer.edit_rows("/websites", |row| row["url"] = json!(7))),
        in_answers("websites.list.own", |answer| answer.edit_rows("/websites", |row| row["status"] = json!("paused"))),
        in_answers("pages.walk.nothing-lost", |answer| {
            answer.edit_at("page_token", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.pop();
                }
            });
        }),
        in_answers("pages.order.newest-first", |answer| {
            answer.edit_at("limit=100", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.reverse();
                }
            });
        }),
        in_answers("pages.link.next", |answer| {
            answer.headers.remove("link");
        }),
        in_answers("leads.cache.no-store", |answer| {
            if answer.path.contains("/leads") {
                answer.set("cache-control", "public, max-age=60");
            }
        }),
        in_answers("leads.capture.readable", |answer| {
            answer.edit_rows("/leads", |row| {
                let message = row["message"].as_str().unwrap_or_default();
                row["message"] = json!(message.replace(|letter: char| !letter.is_ascii_lowercase(), "?"));
            });
        }),
        in_answers("leads.capture.once", |answer| {
            answer.edit_at("/leads", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    *items = [items.clone(), items.clone()].concat();
                }
            });
        }),
        in_answers("sequences.leads.concurrent", |answer| {
            answer.edit_rows("/leads", |row| row["name"] = json!("Somebody"));
        }),
        in_answers("leads.get.same-as-list", |answer| {
            answer.edit_at("/leads/", |body| body["name"] = json!("Somebody"));
        }),
        in_answers("leads.privacy.no-address", |answer| {
            answer.edit_rows("/leads", |row| row["ip"] = json!("127.0.0.1"));
        }),
    ]
}

fn requests() -> Vec<Fault> {
    vec![
        in_requests("pages.limit.respected", |request, _| {
            request.path = request
                .path
                .replace("limit=1", "limit=50")
                .replace("limit=2", "limit=50")
                .replace("limit=3", "limit=50");
        }),
        in_requests("pages.limit.refused", |request, _| request.path = request.path.replace("limit=101", "limit=100")),
        in_requests("pages.filter.website", |request, _| request.without_parameter("website_id")),
        in_requests("pages.filter.status", |request, _| request.without_parameter("status")),
        in_requests("pages.filter.refused", |request, _| request.without_parameter("updated_since")),
        in_requests("pages.range.reversed", |request, _| request.without_parameter("captured_until")),
        in_requests("pages.parameter.doubled", |request, _| {
            request.path = request.path.replace("limit=2&limit=2", "limit=2");
        }),
        in_requests("pages.token.made-up", |request, _| request.without_parameter("page_token")),
        in_requests("pages.token.altered", |request, _| request.without_parameter("page_token")),
        in_requests("pages.token.other-list", |request, _| request.without_parameter("page_token")),
        in_requests("pages.token.other-filters", |request, _| {
            if request.path.contains("page_token") {
                request.without_parameter("website_id");
                request.without_parameter("status");
            }
        }),
        in_requests("pages.walk.ends", |request, _| {
            request.path = request.path.replace("limit=100", "limit=1");
            request.without_parameter("page_token");
        }),
    ]
}
