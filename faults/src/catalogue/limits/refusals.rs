//! Faults in the form of the 429.

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals::in_place_of;
use super::purse::is_refusal;
use crate::message::{Operation, Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    fault("limits.no-retry-after", "The 429 has no Retry-After.", &["limits.quota.exceeded"]).response(
        |response, _, _| {
            if is_refusal(response) {
                response.remove("retry-after");
            }
        },
    ),
    fault("limits.retry-after-date", "Retry-After of the 429 is a date.", &["limits.quota.exceeded"])
        .response(|response, _, _| retry_after_date(response)),
    fault("limits.retry-after-0", "Retry-After of the 429 is 0.", &["limits.quota.exceeded"]).response(
        |response, _, _| {
            if is_refusal(response) {
                response.set("retry-after", "0");
            }
        },
    ),
    fault("limits.plain-type", "The type of the 429 is about:blank.", &["limits.quota.exceeded"]).response(
        |response, _, _| {
            if is_refusal(response) {
                response.edit(|problem| problem["type"] = json!("about:blank"));
            }
        },
    ),
    fault("limits.no-policies", "The 429 lacks violated-policies.", &["limits.quota.exceeded"]).response(
        |response, _, _| {
            if is_refusal(response) {
                response.edit(|problem| drop(remove_member(problem, "violated-policies")));
            }
        },
    ),
    fault(
        "limits.policy-misnamed",
        "The 429 of a read names the quota of generate.",
        &["limits.quota.every-operation"],
    )
    .response(|response, request, _| {
        if is_refusal(response) && !request.is(Operation::Generate) {
            response.edit(|problem| problem["violated-policies"] = json!(["generate"]));
        }
    }),
    fault(
        "limits.validated-first",
        "An order without a topic gets 422 although the quota is spent.",
        &["limits.quota.generate"],
    )
    .response(|response, request, _| {
        let is_invalid = request.is(Operation::Generate) && request.json().is_none_or(|order| order["topic"].is_null());
        if is_invalid && is_refusal(response) {
            *response = in_place_of(response, 422, "validation_failed", "Validation failed");
        }
    }),
    fault("limits.is-503", "A spent quota gets 503.", &["limits.quota.exceeded"]).response(|response, _, _| {
        if is_refusal(response) {
            response.status = 503;
            response.edit(|problem| problem["status"] = json!(503));
        }
    }),
];

fn retry_after_date(response: &mut Response) {
    let seconds = response.header("retry-after").and_then(|seconds| seconds.parse::<u32>().ok());
    if let Some(seconds) = seconds.filter(|_| is_refusal(response)) {
        let date = crate::clock::now() + chrono::Duration::seconds(seconds.into());
        response.set("retry-after", &httpdate::fmt_http_date(date.into()));
    }
}
