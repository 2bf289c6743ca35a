//! The suite against servers that are wrong in one way: each fault must be caught by the requirement that names it,
//! and the same server without the fault must pass.

#![cfg(feature = "reference")]
#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

#[path = "support/proxy.rs"]
mod proxy;

use std::sync::Arc;

use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Run, Selection, Settings, Suite, Target};
use proxy::{Passing, Spoil};
use serde_json::json;

/// A fault: the requirement that must catch it, what it does to requests and to answers.
struct Fault {
    caught_by: &'static str,
    request: fn(&mut Passing, &Keys),
    answer: fn(&mut Passing),
}

/// Keys that a fault may mix up.
#[derive(Clone)]
struct Keys {
    main: String,
    other: String,
}

fn nothing(_: &mut Passing, _: &Keys) {}

fn in_answers(caught_by: &'static str, answer: fn(&mut Passing)) -> Fault {
    Fault { caught_by, request: nothing, answer }
}

fn in_requests(caught_by: &'static str, request: fn(&mut Passing, &Keys)) -> Fault {
    Fault { caught_by, request, answer: |_| {} }
}

fn faults() -> Vec<Fault> {
    faults_of_jobs().into_iter().chain(faults_of_reading()).chain(faults_of_requests()).collect()
}

/// Answers about problems and jobs that are wrong.
fn faults_of_jobs() -> Vec<Fault> {
    vec![
        in_answers("http.request-id.present", |answer| {
            answer.headers.remove("x-request-id");
        }),
        in_answers("problems.code.table", |answer| {
            answer.edit(|body| {
                if body["code"] == "job_not_found" {
                    body["title"] = json!("Gone missing");
                }
            });
        }),
        in_answers("problems.body.media-type", |answer| {
            if answer.status >= 400 {
                answer.set("content-type", "application/json");
            }
        }),
        in_answers("problems.request-id.same", |answer| answer.set("x-request-id", "another")),
        in_answers("generate.valid.accepted", |answer| {
            if answer.status == 202 {
                answer.status = 200;
            }
        }),
        in_answers("generate.valid.echoed", |answer| {
            if answer.path.ends_with("/generate") {
                answer.edit(|body| body["topic"] = json!(body["topic"].as_str().unwrap_or_default().trim()));
            }
        }),
        in_answers("generate.valid.named", |answer| {
            answer.headers.remove("location");
        }),
        in_answers("answers.get-job.schema", |answer| {
            if answer.path.contains("/jobs/") && answer.status == 200 {
                answer.edit(|body| body["attempts"] = json!("none"));
            }
        }),
        in_answers("jobs.done.consistent", |answer| {
            if answer.path.contains("/jobs/") {
                answer.edit(|body| {
                    if body["status"] == "queued" {
                        body["finished_at"] = body["created_at"].clone();
                    }
                    if body["status"] == "completed" {
                        body["article_id"] = json!(null);
                    }
                });
            }
        }),
    ]
}

/// Answers about articles, lists and quotas that are wrong.
fn faults_of_reading() -> Vec<Fault> {
    vec![
        in_answers("articles.text.word-count", |answer| {
            answer.edit(|body| {
                if let Some(count) = body["word_count"].as_i64() {
                    body["word_count"] = json!(count + count / 20);
                }
            });
        }),
        in_answers("articles.html.safe", |answer| {
            answer.edit(|body| {
                if let Some(html) = body["content_html"].as_str() {
                    body["content_html"] = json!(html.replacen("<p>", "<p onclick=\"x()\">", 1));
                }
            });
        }),
        in_answers("articles.html.outline", |answer| {
            answer.edit(|body| {
                if let Some(outline) = body["outline"].as_array_mut() {
                    outline.pop();
                }
            });
        }),
        in_answers("articles.by-job-id.same", |answer| {
            answer.headers.remove("content-location");
        }),
        in_answers("http.method.not-allowed", |answer| {
            answer.headers.remove("allow");
        }),
        in_answers("http.head.like-get", |answer| {
            if answer.method == http::Method::HEAD {
                answer.headers.remove("cache-control");
            }
        }),
        in_answers("leads.cache.no-store", |answer| {
            if answer.path.contains("/leads") {
                answer.set("cache-control", "public, max-age=60");
            }
        }),
        in_answers("pages.walk.nothing-lost", |answer| {
            if answer.path.contains("page_token") {
                answer.edit(|body| {
                    if let Some(items) = body["items"].as_array_mut() {
                        items.pop();
                    }
                });
            }
        }),
        in_answers("pages.link.next", |answer| {
            answer.headers.remove("link");
        }),
        in_answers("pipeline.entry.immediate", |answer| {
            if answer.path.contains("/scheduled_posts") {
                answer.edit(|body| {
                    if let Some(items) = body["items"].as_array_mut() {
                        items.retain(|item| {
                            item["status"] != "queued" && item["status"] != "generating" && item["status"] != "ready"
                        });
                    }
                });
            }
        }),
        in_answers("auth.key.never-echoed", |answer| {
            answer.edit(|body| body["hint"] = json!("your key is {key}"));
        }),
        in_answers("limits.quota.exceeded", |answer| {
            answer.headers.remove("retry-after");
        }),
    ]
}

/// Requests that are understood wrongly.
fn faults_of_requests() -> Vec<Fault> {
    vec![
        in_requests("auth.missing.refused", |request, keys| {
            if !request.headers.contains_key("authorization") {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("auth.wrong-key.challenge", |request, keys| {
            let right = format!("bearer {}", keys.main).to_lowercase();
            let sent = request.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
            if sent.to_lowercase() == right {
                request.set("authorization", &format!("Bearer {}", keys.main));
            }
        }),
        in_requests("isolation.jobs.unknown", mixed_up),
        in_requests("isolation.lists.rows", mixed_up),
        in_requests("idempotency.replay.same-answer", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_requests("idempotency.concurrent.one-job", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_requests("jobs.etag.not-modified", |request, _| {
            request.headers.remove("if-none-match");
        }),
        in_requests("generate.invalid.too-long", |request, _| {
            request.edit(|body| {
                if let Some(topic) = body["topic"].as_str().filter(|topic| topic.chars().count() > 1_000) {
                    body["topic"] = json!(topic.chars().take(1_000).collect::<String>());
                }
            });
        }),
        in_requests("generate.json.malformed", |request, _| request.edit(|_| {})),
        in_requests("generate.unknown-members.strict", |request, _| {
            request.headers.remove("prefer");
        }),
        in_requests("pages.limit.respected", |request, _| {
            request.path = request
                .path
                .replace("limit=1", "limit=50")
                .replace("limit=2", "limit=50")
                .replace("limit=3", "limit=50");
        }),
        in_requests("pages.filter.website", |request, _| {
            request.path = request.path.replace("website_id=web_unknown_to_everyone", "x=y");
        }),
    ]
}

/// Takes one account's key for the other's.
fn mixed_up(request: &mut Passing, keys: &Keys) {
    let sent = request.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if sent == format!("Bearer {}", keys.other) {
        request.set("authorization", &format!("Bearer {}", keys.main));
    }
}

async fn run(target: Target, only: Vec<String>) -> Run {
    let settings = Settings {
        selection: Selection { only, skip: Vec::new() },
        cases: 16,
        seed: 20_261_121,
        ..Settings::default()
    };
    Suite::new(target).with(settings).run(&|_| {}).await.unwrap()
}

/// The reference server's target behind a proxy.
fn behind(base_url: &str, target: &Target) -> Target {
    let mut target = target.clone();
    base_url.clone_into(&mut target.base_url);
    target.hooks = None;
    target
}

#[tokio::test]
async fn each_fault_is_caught_by_the_requirement_that_names_it_and_the_healthy_server_passes() {
    let server = Reference::start().await.unwrap();
    let target = server.target();
    let keys = Keys { main: target.account.api_key.clone(), other: target.other_account.clone().unwrap().api_key };
    let ids: Vec<String> = faults().iter().map(|fault| fault.caught_by.to_owned()).collect();
    let (base_url, healthy) = proxy::start(target.base_url.clone(), Arc::new(|_| {}), Arc::new(|_| {})).await;
    let passed = run(behind(&base_url, &target), ids).await;
    for result in &passed.results {
        assert!(matches!(result.outcome, Outcome::Passed), "healthy {}: {:?}", result.requirement.id, result.outcome);
    }
    drop(healthy);
    let mut survivors = Vec::new();
    for fault in faults() {
        let (request, answer, keys) = (fault.request, fault.answer, keys.clone());
        let main = keys.main.clone();
        let spoil_request: Spoil = Arc::new(move |passing| request(passing, &keys));
        let spoil_answer: Spoil = Arc::new(move |passing| {
            answer(passing);
            let text = String::from_utf8_lossy(&passing.body);
            if text.contains("{key}") {
                passing.body = text.replace("{key}", &main).into_bytes();
            }
        });
        let (base_url, spoiled) = proxy::start(target.base_url.clone(), spoil_request, spoil_answer).await;
        let found = run(behind(&base_url, &target), vec![fault.caught_by.to_owned()]).await;
        if !matches!(found.results[0].outcome, Outcome::Failed(_)) {
            survivors.push(format!("{}: {:?}", fault.caught_by, found.results[0].outcome));
        }
        drop(spoiled);
    }
    assert!(survivors.is_empty(), "not caught: {survivors:#?}");
}
