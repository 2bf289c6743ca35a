//! Responses that queue a job, and their replays.

use std::time::Duration;

use futures::future::FutureExt;
use serde_json::{Value, json};

use super::super::fault::{Fault, Profile, variant};
use super::super::idempotency::bodies::repeat_alike;
use super::super::idempotency::key::is_replay;
use super::super::state::records::is_read;
use super::body;
use super::writing::reversed;
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response};

/// Fields of a generation request.
const KNOWN: [&str; 8] =
    ["topic", "website_id", "language", "keywords", "target_word_count", "auto_publish", "publish_at", "metadata"];

/// Number and length of the pauses while a replay waits for its job to begin.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

pub(super) const FAULTS: &[Fault] = &[
    variant(
        "benign.replay-current-status",
        "A replay has the status that the job has now: \"Only `status` and the further fields of `Job` may be newer.\"",
        Profile::Full,
    )
    .exchange(|exchange| replay(exchange, |queued, job| queued["status"] = job["status"].clone()).boxed()),
    variant(
        "benign.replay-as-job",
        "A replay is the whole current job: \"Only `status` and the further fields of `Job` may be newer.\"",
        Profile::Full,
    )
    .exchange(|exchange| replay(exchange, Value::clone_from).boxed()),
    variant(
        "benign.replay-reordered",
        "A replay has its fields in another order: a JSON object has none (RFC 8259 4).",
        Profile::Full,
    )
    .response(|response, request, _| {
        if let Some(queued) = response.json().filter(|_| is_replay(request, response)) {
            response.body = reversed(&queued).into();
        }
    }),
    variant(
        "benign.queued-like-job",
        "The 202 has fields of Job, too: QueuedJob \"may have further fields of `Job` with the same meaning\".",
        Profile::Full,
    )
    .response(|response, request, _| {
        if is_read(response, request, Operation::Generate) {
            body::edit(response, enrich);
        }
    }),
    variant(
        "benign.unknown-fields-apart",
        "Unknown fields do not change the body under a used key: \"unknown fields may count or not\".",
        Profile::Full,
    )
    .exchange(|exchange| repeat_alike(exchange, known_fields).boxed()),
    variant(
        "benign.no-retry-after",
        "The 202 has no Retry-After: the document does not mark that header as required.",
        Profile::Full,
    )
    .response(|response, request, _| {
        if is_read(response, request, Operation::Generate) {
            response.remove("retry-after");
        }
    }),
    variant(
        "benign.retry-after-varies",
        "Retry-After of jobs ranges from a second to a day: the document only says at least 1.",
        Profile::Full,
    )
    .response(|response, _, memory| {
        const SECONDS: [&str; 5] = ["1", "2", "30", "600", "86400"];
        if !matches!(response.status, 409 | 429 | 503) && response.header("retry-after").is_some() {
            let turn = usize::try_from(memory.next_number("turns")).unwrap_or(0);
            response.set("retry-after", SECONDS[turn % SECONDS.len()]);
        }
    }),
];

/// Writes the current job into a replay, once its status differs from the first response.
async fn replay(exchange: Exchange, write: fn(&mut Value, &Value)) -> Response {
    let mut response = exchange.forward().await;
    let id = response.text("/job_id").filter(|_| is_replay(&exchange.request, &response));
    let (Some(id), Some(key)) = (id, exchange.request.key()) else { return response };
    let mut read = Request::get("/api/v1/jobs/id").with_key(key);
    read.set_id(&id);
    for _ in 0..LOOKS {
        // A key that may not read jobs gets the first response.
        let Some(job) = exchange.send(read.clone()).await.json().filter(|job| job["job_id"] == id) else { break };
        if job["status"] != "queued" {
            response.edit(|queued| write(queued, &job));
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    response
}

fn enrich(job: &mut Value) {
    if job["status"] == "queued" {
        for name in ["article_id", "error", "started_at", "finished_at"] {
            job[name] = Value::Null;
        }
        (job["done"], job["progress"], job["attempts"]) = (json!(false), json!(0), json!(0));
    }
}

fn known_fields(order: &Value) -> Value {
    let fields = order.as_object().into_iter().flatten().filter(|(name, _)| KNOWN.contains(&name.as_str()));
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}
