//! Faults in accepting requests: keys, accounts, bodies.

use super::fault::{Fault, Keys, in_requests};
use super::proxy::Passing;
use serde_json::json;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = keys();
    all.extend(bodies());
    all
}

/// Replaces one account's key by the other's.
pub(crate) fn mixed_up(request: &mut Passing, keys: &Keys) {
    if request.header("authorization") == format!("Bearer {}", keys.other) {
        request.set("authorization", &format!("Bearer {}", keys.main));
    }
}

fn keys() -> Vec<Fault> {
    vec![
        in_requests("auth.missing.refused", |request, keys| {
            if !request.headers.contains_key("authorization") {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.wrong-key.challenge", |request, keys| {
            if request.header("authorization").to_lowercase() == format!("bearer {}", keys.main).to_lowercase() {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.wrong-key.refused", |request, keys| {
            if request.header("authorization").contains(&keys.main) {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.scheme.others", |request, keys| {
            if request.header("authorization").ends_with(&keys.main) {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.scheme.case-insensitive", |request, keys| {
            if request.header("authorization").starts_with("BEARER") {
                request.set("authorization", &format!("Basic {}", keys.main));
            }
        }),
        in_requests("auth.header.empty", |request, keys| {
            if request.header("authorization").trim() == "Bearer" {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("isolation.jobs.unknown", mixed_up),
        in_requests("isolation.jobs.cancel", mixed_up),
        in_requests("isolation.articles.unknown", mixed_up),
        in_requests("isolation.articles.core", mixed_up),
        in_requests("isolation.leads.unknown", mixed_up),
        in_requests("isolation.websites.generate", mixed_up),
        in_requests("isolation.lists.rows", mixed_up),
        in_requests("isolation.lists.filter", mixed_up),
        in_requests("isolation.tokens.account", mixed_up),
    ]
}

fn bodies() -> Vec<Fault> {
    vec![
        in_requests("generate.invalid.required", |request, _| {
            request.edit(|body| {
                if body.get("topic").is_none() {
                    body["topic"] = json!("Anything");
                }
            });
        }),
        in_requests("generate.invalid.too-long", |request, _| {
            request.edit(|body| {
                if let Some(topic) = body["topic"].as_str().filter(|topic| topic.chars().count() > 1_000) {
                    body["topic"] = json!(topic.chars().take(1_000).collect::<String>());
                }
            });
        }),
        in_requests("generate.invalid.too-short", |request, _| {
            request.edit(|body| {
                if body["topic"].as_str().is_some_and(|topic| topic.trim().is_empty()) {
                    body["topic"] = json!("Untitled");
                }
            });
        }),
        in_requests("generate.invalid.format", |request, _| {
            request.edit(|body| {
                if let Some(count) = body["target_word_count"].as_f64().filter(|count| count.fract() == 0.0) {
                    body["target_word_count"] = json!(format!("{count}").parse::<i64>().unwrap());
                }
            });
        }),
        in_requests("generate.invalid.range", |request, _| {
            request.edit(|body| {
                if let Some(count) = body["target_word_count"].as_i64() {
                    body["target_word_count"] = json!(count.clamp(200, 5_000));
                }
            });
        }),
        in_requests("generate.invalid.too-many", |request, _| {
            request.edit(|body| {
                if let Some(keywords) = body["keywords"].as_array_mut() {
                    keywords.truncate(10);
                }
            });
        }),
        in_requests("generate.json.malformed", |request, _| request.edit(|_| {})),
        in_requests("generate.media-type.required", |request, _| {
            if !request.body.is_empty() {
                request.set("content-type", "application/json");
            }
        }),
        in_requests("generate.media-type.charset", |request, _| {
            if request.header("content-type").contains("charset") {
                request.set("content-type", "text/plain");
            }
        }),
        in_requests("generate.size.too-large", |request, _| {
            if request.body.len() > 1 << 16 {
                request.edit(|body| body["padding"] = json!(""));
            }
        }),
        in_requests("generate.unknown-members.ignored", |request, _| request.set("prefer", "handling=strict")),
        in_requests("generate.unknown-members.strict", |request, _| {
            request.headers.remove("prefer");
        }),
        in_requests("generate.publish-at.kept", |request, _| {
            request.edit(|body| {
                if body["publish_at"].as_str().is_some_and(|time| time.contains('.')) {
                    body["publish_at"] = json!("no fractions here");
                }
            });
        }),
    ]
}
