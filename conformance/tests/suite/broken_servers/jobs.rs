//! Faults in queueing, jobs, idempotency and the pipeline.

use super::fault::{Fault, in_answers, in_requests};
use serde_json::json;

pub(crate) fn faults() -> Vec<Fault> {
    let mut all = queueing();
    all.extend(states());
    all.extend(idempotency());
    all
}

fn queueing() -> Vec<Fault> {
    vec![
        in_answers("generate.documented.accepted", |answer| {
            answer.edit_at("/generate", |body| body["job_id"] = json!(7));
        }),
        in_answers("generate.job-id.unique", |answer| {
            answer.edit_at("/generate", |body| body["job_id"] = json!("job_1"));
        }),
        in_answers("generate.valid.accepted", |answer| {
            if answer.status == 202 {
                answer.status = 200;
            }
        }),
        in_answers("generate.valid.echoed", |answer| {
            answer
                .edit_at("/generate", |body| body["topic"] = json!(body["topic"].as_str().unwrap_or_default().trim()));
        }),
        in_answers("generate.valid.echoed", |answer| {
            answer.edit_at("/generate", |body| {
                if let Some(metadata) = body["metadata"].as_object_mut() {
                    metadata.remove("k");
                }
            });
        }),
        in_answers("generate.valid.named", |answer| {
            answer.headers.remove("location");
        }),
        in_answers("pipeline.entry.echo", |answer| {
            answer.edit_rows("/scheduled_posts", |row| {
                row["topic"] = json!(row["topic"].as_str().unwrap_or_default().to_lowercase());
            });
        }),
        in_answers("pipeline.entry.immediate", |answer| {
            answer.edit_at("/scheduled_posts", |body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.retain(|item| {
                        item["status"] != "queued" && item["status"] != "generating" && item["status"] != "ready"
                    });
                }
            });
        }),
        in_answers("pipeline.entry.ready", |answer| {
            answer.edit_rows("/scheduled_posts", |row| row["article_id"] = json!(null));
        }),
        in_answers("pipeline.entry.published", |answer| {
            answer.edit_rows("/scheduled_posts", |row| row["published_at"] = json!(null));
        }),
        in_answers("pipeline.entry.scheduled", |answer| {
            answer.edit_rows("/scheduled_posts", |row| row["publish_at"] = row["created_at"].clone());
        }),
    ]
}

fn states() -> Vec<Fault> {
    vec![
        in_answers("answers.get-job.schema", |answer| {
            answer.edit_at("/jobs/", |body| body["attempts"] = json!("none"));
        }),
        in_answers("jobs.done.consistent", |answer| {
            answer.edit_at("/jobs/", |body| {
                if body["status"] == "completed" {
                    body["article_id"] = json!(null);
                }
            });
        }),
        in_answers("jobs.times.ordered", |answer| {
            answer.edit_at("/jobs/", |body| {
                if body["finished_at"].is_string() {
                    body["finished_at"] = json!("2001-01-01T00:00:00.000Z");
                }
            });
        }),
        in_answers("jobs.progress.ends", |answer| {
            answer.edit_at("/jobs/", |body| {
                if body["progress"] == 100 {
                    body["progress"] = json!(99);
                }
            });
        }),
        in_answers("jobs.terminal.stable", |answer| {
            let id = answer.header("x-request-id").to_owned();
            answer.edit_at("/jobs/", |body| body["trace"] = json!(id));
        }),
        in_answers("jobs.echo.what-was-sent", |answer| answer.edit_at("/jobs/", |body| body["metadata"] = json!({}))),
        in_answers("jobs.cache.private", |answer| {
            answer.set("cache-control", "public");
        }),
        in_answers("jobs.cancel.ends", |answer| {
            answer.edit_at("/cancel", |body| body["status"] = json!("in_progress"));
        }),
        in_answers("jobs.cancel.finished-refused", |answer| {
            if answer.status == 409 {
                answer.status = 200;
            }
        }),
        in_answers("jobs.cancel.no-article", |answer| {
            answer.edit(|body| {
                if body["code"] == "generation_cancelled" {
                    body["code"] = json!("article_not_ready");
                }
            });
        }),
        in_answers("sequences.jobs.model", |answer| {
            answer.edit_at("/jobs/", |body| {
                if body["status"] == "completed" {
                    body["topic"] = json!("Another job's topic");
                }
            });
        }),
        in_requests("sequences.jobs.concurrent", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_answers("sequences.responses.consistent", |answer| {
            answer.edit_at("/cancel", |body| {
                if body["status"] == "cancelled" {
                    body["status"] = json!("failed");
                }
            });
        }),
        in_requests("jobs.etag.not-modified", |request, _| {
            request.headers.remove("if-none-match");
        }),
    ]
}

fn idempotency() -> Vec<Fault> {
    vec![
        in_requests("idempotency.lost.one-job", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_requests("idempotency.replay.same-answer", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_answers("idempotency.replay.same-answer", |answer| {
            answer.headers.remove("idempotency-replayed");
        }),
        in_requests("idempotency.concurrent.one-job", |request, _| {
            request.headers.remove("idempotency-key");
        }),
        in_requests("idempotency.keys.different-jobs", |request, _| {
            let lower = request.header("idempotency-key").to_lowercase();
            if !lower.is_empty() {
                request.set("idempotency-key", &lower);
            }
        }),
        in_requests("idempotency.key.quoted", |request, _| {
            let bare = request.header("idempotency-key").replace('"', "q");
            if !bare.is_empty() {
                request.set("idempotency-key", &bare);
            }
        }),
        in_requests("idempotency.key.malformed", |request, _| {
            if request.header("idempotency-key").len() > 255 {
                request.set("idempotency-key", "shortened");
            }
        }),
        in_requests("idempotency.mismatch.refused", |request, _| {
            request.edit(|body| body["target_word_count"] = json!(200));
        }),
        in_requests("idempotency.order.before-validation", |request, _| {
            if request.json().is_some_and(|body| body["target_word_count"] == 1) {
                request.headers.remove("idempotency-key");
            }
        }),
    ]
}
