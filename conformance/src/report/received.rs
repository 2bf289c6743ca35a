//! Webhooks as evidence: the requests that the suite's receiver got in a case, readable, cut to size, without secrets.
//!
//! `requirements` decide which webhooks belong to a case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::{self, KEPT};
use crate::check::Secrets;
use crate::inbox::HookRequest;
use crate::runner::{Failure, Run};

/// Names of headers that contain a secret or a value derived from one.
const SECRET_NAMES: [&str; 9] =
    ["signature", "authorization", "token", "secret", "hmac", "digest", "cookie", "password", "api-key"];

/// One webhook as it arrived at the suite's receiver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookReport {
    /// Method as sent.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent; signatures and credentials are replaced by their length.
    pub headers: Vec<(String, String)>,
    /// The body, cut to 4 KiB.
    pub body: String,
    /// Arrival time of its last byte, in milliseconds since the start of the run.
    pub arrived_ms: u64,
    /// Status of the receiver's response, 0 if there was none.
    pub answered: u16,
}

/// Returns the webhooks of a case, at most 12: the first one, and the last ones. If one was refused, it comes first.
pub(super) fn hooks(run: &Run, failure: &Failure) -> Vec<HookReport> {
    let left_out = failure.received.len().saturating_sub(KEPT);
    let is_kept = |(at, _): &(usize, &HookRequest)| *at == 0 || *at > left_out;
    failure.received.iter().enumerate().filter(is_kept).map(|(_, hook)| report(run, hook)).collect()
}

fn report(run: &Run, hook: &HookRequest) -> HookReport {
    let secrets = &run.facts.secrets;
    let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        (name.to_string(), shown(name.as_str(), &String::from_utf8_lossy(value.as_bytes()), secrets))
    };
    HookReport {
        method: hook.method.clone(),
        path: secrets.mask(&hook.path),
        headers: hook.headers.iter().map(header).collect(),
        body: evidence::cut(&hook.body, secrets),
        arrived_ms: evidence::since_start(run, hook.arrived),
        answered: hook.answered,
    }
}

fn shown(name: &str, value: &str, secrets: &Secrets) -> String {
    if SECRET_NAMES.iter().any(|part| name.contains(part)) {
        format!("[masked, {} characters]", value.chars().count())
    } else {
        secrets.mask(value)
    }
}
