//! The 202 to a generation request.

use futures::future::FutureExt;
use serde_json::{Value, json};
use url::{Position, Url};

use super::super::fault::{Fault, fault};
use crate::edge::Exchange;
use crate::message::{Operation, Request, Response, remove_member};

/// Headers that a repeat does not copy.
const OF_ONE_RESPONSE: [&str; 3] = ["content-length", "date", "x-request-id"];

pub(super) const FAULTS: &[Fault] =
    &[
        fault("contract.generate-is-200", "POST /generate gets 200.", &["generate.valid.accepted"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.status = 200;
                }
            },
        ),
        fault(
            "contract.job-id-as-id",
            "The response names the job's id `id` instead of `job_id`.",
            &["generate.documented.accepted"],
        )
        .response(|response, request, _| {
            if is_accepted(request, response) {
                response.edit(|job| job["id"] = remove_member(job, "job_id").unwrap_or_default());
            }
        }),
        fault("contract.job-id-number", "The response's job_id is a number.", &["generate.documented.accepted"])
            .response(|response, request, memory| {
                if is_accepted(request, response) {
                    let number = memory.next_number("jobs") + 1;
                    response.edit(|job| job["job_id"] = json!(number));
                }
            }),
        fault("contract.status-pending", "A queued job has the status pending.", &["generate.valid.accepted"])
            .response(|response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| job["status"] = json!("pending"));
                }
            }),
        fault("contract.metadata-null", "Empty metadata is null.", &["answers.generate.schema"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| {
                        if job["metadata"] == json!({}) {
                            job["metadata"] = Value::Null;
                        }
                    });
                }
            },
        ),
        fault("contract.queued-done", "The 202 has done: true.", &["jobs.details.same-as-queued"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.edit(|job| job["done"] = json!(true));
                }
            },
        ),
        fault(
            "contract.same-topic-same-job",
            "The server treats equal requests as repeats, even without an idempotency key.",
            &["pipeline.entry.concurrent"],
        )
        .exchange(|exchange| same_topic_same_job(exchange).boxed()),
        fault("contract.no-location", "The 202 has no Location.", &["generate.valid.named"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.remove("location");
                }
            },
        ),
        fault(
            "contract.location-of-post",
            "Location is the address of the scheduled post instead of the job.",
            &["generate.valid.named"],
        )
        .response(|response, request, _| {
            if is_accepted(request, response)
                && let Some(entry) = response.text("/scheduled_post_id")
            {
                let other = response.header("location").and_then(|location| with_id(location, request, &entry));
                if let Some(other) = other {
                    response.set("location", &other);
                }
            }
        }),
        fault("contract.retry-after-0", "Retry-After of the 202 is 0.", &["generate.valid.retry-after"]).response(
            |response, request, _| {
                if is_accepted(request, response) {
                    response.set("retry-after", "0");
                }
            },
        ),
    ];

fn is_accepted(request: &Request, response: &Response) -> bool {
    request.is(Operation::Generate) && response.is_success()
}

async fn same_topic_same_job(exchange: Exchange) -> Response {
    let request = &exchange.request;
    if !request.is(Operation::Generate) || request.header("idempotency-key").is_some() {
        return exchange.forward().await;
    }
    let what = json!([request.key(), request.json()]).to_string();
    let _turn = exchange.memory.turn().await;
    if let Some(first) = exchange.memory.get(&what) {
        return repeated(&exchange, &first).await;
    }
    let response = exchange.forward().await;
    if let Some(body) = response.json().filter(|_| response.is_success()) {
        let headers = response.headers.iter().filter(|(name, _)| !OF_ONE_RESPONSE.contains(&name.as_str()));
        let headers: Vec<_> =
            headers.filter_map(|(name, value)| Some(json!([name.as_str(), value.to_str().ok()?]))).collect();
        exchange.memory.put(&what, json!({ "status": response.status, "headers": headers, "body": body }));
    }
    response
}

/// Repeats the first response with the request id of the new response.
async fn repeated(exchange: &Exchange, first: &Value) -> Response {
    let status = first["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(202);
    let mut response = Response::new(status, first["body"].to_string());
    for header in first["headers"].as_array().into_iter().flatten() {
        response.append(header[0].as_str().unwrap_or_default(), header[1].as_str().unwrap_or_default());
    }
    let other = exchange.send(Request::get("/api/v1/nothing")).await;
    if let Some(request_id) = other.header("x-request-id") {
        response.set("x-request-id", request_id);
    }
    response
}

/// Replaces the job's id in a Location, which stays relative or absolute.
fn with_id(location: &str, request: &Request, id: &str) -> Option<String> {
    let base = Url::parse(&format!("http://{}{}", request.header("host")?, request.public_path())).ok()?;
    let mut target = base.join(location).ok()?;
    let mut read = Request::get(target.path().strip_prefix(&*request.base_path)?);
    read.set_id(id);
    target.set_path(&format!("{}{}", request.base_path, read.path));
    let is_whole = Url::parse(location).is_ok();
    Some(if is_whole { target.into() } else { target[Position::BeforePath..].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::with_id;
    use crate::message::Request;

    #[test]
    fn a_location_of_any_form_gets_another_id() {
        let mut request = Request::get("/api/v1/generate");
        request.base_path = "/of".into();
        request.set("host", "edge:80");
        for (location, other) in [
            ("/of/api/v1/jobs/a%3Ab", "/of/api/v1/jobs/x%2Fy"),
            ("jobs/ab?c", "/of/api/v1/jobs/x%2Fy?c"),
            ("https://api.example/of/api/v1/jobs/a", "https://api.example/of/api/v1/jobs/x%2Fy"),
            ("/of/elsewhere/a", "/of/elsewhere/a"),
        ] {
            assert_eq!(with_id(location, &request, "x/y").as_deref(), Some(other));
        }
    }
}
