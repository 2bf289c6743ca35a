//! Refusals of missing and wrong keys, and leaks of a key.

use serde_json::json;

use super::super::fault::{Fault, fault};
use super::super::refusals;
use super::challenge::{REASON, without};
use crate::message::Response;

pub(super) const FAULTS: &[Fault] = &[
    fault("auth.missing-is-403", "A missing key gets 403.", &["auth.missing.challenge"]).response(|response, _, _| {
        if is(response, "missing_credentials") {
            let challenge = response.header("www-authenticate").map(ToOwned::to_owned);
            *response = refusals::in_place_of(response, 403, "insufficient_scope", "Insufficient scope");
            if let Some(challenge) = challenge {
                response.set("www-authenticate", &challenge);
            }
        }
    }),
    fault(
        "auth.missing-without-challenge",
        "The 401 for a missing key has no WWW-Authenticate.",
        &["auth.missing.challenge"],
    )
    .response(|response, _, _| {
        if is(response, "missing_credentials") {
            response.remove("www-authenticate");
        }
    }),
    fault("auth.wrong-is-missing", "A wrong key gets the code missing_credentials.", &["auth.wrong-key.challenge"])
        .response(|response, _, _| {
            if is(response, "invalid_credentials") {
                let challenge = response.header("www-authenticate").map(|challenge| without(challenge, &REASON));
                *response = refusals::in_place_of(response, 401, "missing_credentials", "Missing credentials");
                if let Some(challenge) = challenge {
                    response.set("www-authenticate", &challenge);
                }
            }
        }),
    fault("auth.wrong-is-404", "A wrong key gets 404.", &["auth.wrong-key.challenge"]).response(|response, _, _| {
        if is(response, "invalid_credentials") {
            *response = refusals::in_place_of(response, 404, "route_not_found", "Route not found");
        }
    }),
    fault(
        "auth.wrong-without-error",
        "The challenge for a wrong key lacks error=\"invalid_token\".",
        &["auth.wrong-key.challenge"],
    )
    .response(|response, _, _| {
        if is(response, "invalid_credentials") {
            response.change("www-authenticate", |challenge| without(challenge, &REASON));
        }
    }),
    fault("auth.key-in-detail", "The problem for a wrong key repeats the key.", &["auth.key.never-echoed"]).response(
        |response, request, _| {
            if let Some(key) = request.key().filter(|_| is(response, "invalid_credentials")) {
                response.edit(|problem| problem["detail"] = json!(format!("The key {key} is not accepted.")));
            }
        },
    ),
    fault("auth.key-in-header", "A debugging header repeats the key.", &["auth.key.never-echoed"]).response(
        |response, request, _| {
            if let Some(sent) = request.header("authorization") {
                response.set("x-debug-authorization", sent);
            }
        },
    ),
];

fn is(response: &Response, code: &str) -> bool {
    response.code().is_some_and(|found| found == code)
}
