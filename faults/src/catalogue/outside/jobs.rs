//! Faults in changes of jobs and scheduled posts: cancels, publication times, and concurrent jobs.

use chrono::Duration;
use futures::future::FutureExt;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::super::state::cancel::is_cancelled_again;
use super::super::state::publishing::{accepted_time, edit_order, show_asked};
use super::super::state::records::{edit_entries, edit_job, refuse};
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, parse_time, write_time};

/// Maximum number of open jobs of a website in the document.
const OPEN_JOBS: u64 = 100;
/// Range of a 32-bit timer in milliseconds.
const LONGEST_TIMER: Duration = Duration::milliseconds(i32::MAX as i64);

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outside.entry-time-stands",
        "Publishing does not change updated_at of the scheduled post.",
        &["pipeline.updated-at.follows-change"],
    )
    .response(entry_time_stands),
    fault(
        "outside.refused-cancel-drops",
        "A cancel that gets 409 removes the scheduled post.",
        &["jobs.cancel.finished-refused"],
    )
    .response(refused_cancel_drops),
    fault(
        "outside.second-cancel-revives",
        "A second cancel sets the scheduled post back to queued.",
        &["sequences.jobs.model"],
    )
    .response(second_cancel_revives),
    fault(
        "outside.cancelled-counted",
        "Cancelled jobs still count: the queue is full after a hundred of them.",
        &["jobs.cancel.frees-place"],
    )
    .exchange(|exchange| cancelled_counted(exchange).boxed())
    .response(count_cancelled),
    fault(
        "outside.cancelled-comes-back",
        "The server queues a cancelled job again at its publish_at.",
        &["pipeline.publish-at.cancelled"],
    )
    .response(cancelled_comes_back),
    fault(
        "outside.timer-overflows",
        "The server publishes at once if publish_at is more than 24.8 days ahead.",
        &["articles.scheduled.waits"],
    )
    .exchange(|exchange| timer_overflows(exchange).boxed())
    .response(show_asked),
    fault(
        "outside.time-lost-without-auto",
        "The server drops publish_at if auto_publish is false.",
        &["pipeline.entry.zoned"],
    )
    .request(|request, _| {
        edit_order(request, |order| {
            let is_draft = order.get("auto_publish").is_some_and(|approval| *approval == false);
            if is_draft && accepted_time(order).is_some() {
                order.remove("publish_at");
            }
        });
    }),
    fault(
        "outside.half-hour-late",
        "The server ignores the minutes of a time zone in publish_at.",
        &["pipeline.entry.zoned"],
    )
    .request(|request, _| {
        edit_order(request, |order| {
            let text = order.get("publish_at").and_then(Value::as_str).unwrap_or_default();
            let whole = whole_hours(text).filter(|_| accepted_time(order).is_some());
            if let Some(whole) = whole {
                order.insert("publish_at".to_owned(), json!(whole));
            }
        });
    }),
    fault("outside.mixed-up", "Concurrent reads of two jobs return the same job.", &["generate.valid.named"])
        .exchange(|exchange| mixed_up(exchange).boxed()),
];

fn entry_time_stands(response: &mut Response, request: &Request, memory: &Memory) {
    edit_entries(response, request, |entry| {
        let slot = format!("updated_at: {}", entry["id"]);
        if entry["status"] == "published" {
            entry["updated_at"] = memory.get(&slot).unwrap_or_else(|| entry["created_at"].clone());
        } else {
            memory.put(&slot, entry["updated_at"].clone());
        }
    });
}

fn refused_cancel_drops(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |job_id: &str| format!("dropped: {job_id}");
    if let Some(job_id) = request.id().filter(|_| request.is(Operation::CancelJob) && response.status == 409) {
        memory.put(&slot(&job_id), true);
    }
    edit_entries(response, request, |entry| {
        let is_waiting = matches!(entry["status"].as_str(), Some("ready" | "scheduled"));
        let is_dropped = memory.get(&slot(entry["job_id"].as_str().unwrap_or_default())).is_some();
        if is_waiting && is_dropped {
            entry["status"] = json!("cancelled");
        }
    });
}

fn second_cancel_revives(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |job_id: &str| format!("revived: {job_id}");
    if is_cancelled_again(response, request, memory) {
        memory.put(&slot(&request.id().unwrap_or_default()), true);
    }
    edit_entries(response, request, |entry| {
        let is_revived = memory.get(&slot(entry["job_id"].as_str().unwrap_or_default())).is_some();
        if is_revived && entry["status"] == "cancelled" {
            entry["status"] = json!("queued");
        }
    });
}

fn places_of(website_id: &Value) -> String {
    format!("places in {website_id}")
}

fn count_cancelled(response: &mut Response, request: &Request, memory: &Memory) {
    let is_cancel = request.is(Operation::CancelJob) && response.is_success();
    if is_cancel && !is_cancelled_again(response, request, memory) {
        memory.next_number(&places_of(&response.json().unwrap_or_default()["website_id"]));
    }
}

async fn cancelled_counted(exchange: Exchange) -> Response {
    let website_id = exchange.request.json().unwrap_or_default()["website_id"].clone();
    let places = exchange.memory.get(&places_of(&website_id)).and_then(|places| places.as_u64()).unwrap_or(0);
    if !exchange.request.is(Operation::Generate) || places < OPEN_JOBS {
        return exchange.forward().await;
    }
    // Runs all checks that precede the queue without queueing anything.
    let mut request = exchange.request.clone();
    request.remove("idempotency-key");
    request.edit(|order| order["website_id"] = json!("no such website"));
    let mut response = exchange.send(request).await;
    if response.code().is_some_and(|code| code == "website_not_found") {
        response.edit(|problem| {
            problem.as_object_mut().map(|members| members.remove("errors"));
        });
        refuse(&mut response, 429, "queue_full", "Queue full");
        response.set("retry-after", "5");
    }
    response
}

fn cancelled_comes_back(response: &mut Response, request: &Request, memory: &Memory) {
    let slot = |job_id: &str| format!("publish_at: {job_id}");
    let order = request.json().filter(|_| request.is(Operation::Generate)).unwrap_or_default();
    let asked = order.as_object().and_then(accepted_time);
    if let (Some(at), Some(job_id)) = (asked, response.text("/job_id")) {
        memory.put(&slot(&job_id), write_time(at));
    }
    let has_come = |job_id: &str| {
        let at = memory.text(&slot(job_id)).as_deref().and_then(parse_time);
        at.is_some_and(|at| at <= clock::now())
    };
    edit_job(response, request, |job| {
        if job["status"] == "cancelled" && has_come(job["job_id"].as_str().unwrap_or_default()) {
            job["status"] = json!("queued");
            job["done"] = json!(false);
            job["progress"] = json!(0);
            job["finished_at"] = Value::Null;
        }
    });
    edit_entries(response, request, |entry| {
        if entry["status"] == "cancelled" && has_come(entry["job_id"].as_str().unwrap_or_default()) {
            entry["status"] = json!("queued");
        }
    });
    let is_cancelled = response.code().is_some_and(|code| code == "generation_cancelled");
    if is_cancelled && request.id().is_some_and(|id| has_come(&id)) {
        refuse(response, 404, "article_not_ready", "Article not ready");
        response.set("retry-after", "1");
    }
}

async fn timer_overflows(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["publish_at"], |order| {
        let now = clock::now();
        let at = order.as_object().and_then(accepted_time);
        if order["auto_publish"] != false && at.is_some_and(|at| at > now + LONGEST_TIMER) {
            // A time in the past means immediate publication.
            order["publish_at"] = json!(write_time(now - Duration::days(1)));
        }
    })
    .await
}

/// Removes the minutes from the zone of a time; `None` without such minutes.
fn whole_hours(text: &str) -> Option<String> {
    let (hours, minutes) = text.rsplit_once(':')?;
    let is_zone = hours.get(hours.len().checked_sub(3)?..)?.starts_with(['+', '-']);
    (is_zone && minutes != "00").then(|| format!("{hours}:00"))
}

/// Slot shared by all requests of an account, in which a job's id waits.
async fn mixed_up(exchange: Exchange) -> Response {
    let request = &exchange.request;
    let (Some(job_id), Some(key), true) = (request.id(), request.key(), request.is(Operation::GetJob)) else {
        return exchange.forward().await;
    };
    let slot = format!("read by {key}");
    exchange.memory.put(&slot, job_id.clone());
    sleep(std::time::Duration::from_millis(5)).await;
    let last = exchange.memory.text(&slot).filter(|last| *last != job_id);
    let mut mixed = request.clone();
    if let Some(last) = last {
        mixed.set_id(&last);
    }
    exchange.send(mixed).await
}
