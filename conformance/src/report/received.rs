//! Hooks as evidence: what the suite's receiver got in a case, readable, cut to size, without secrets.
//!
//! Which hooks belong to a case is `requirements`' to say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evidence::{self, KEPT};
use crate::check::Secrets;
use crate::inbox::HookRequest;
use crate::runner::{Failure, Run};

/// Headers with one of these in their names hold what a secret made, or a secret itself.
const SECRET_NAMES: [&str; 9] =
    ["signature", "authorization", "token", "secret", "hmac", "digest", "cookie", "password", "api-key"];

/// One hook as it arrived at the suite's receiver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookReport {
    /// Method as it was sent.
    pub method: String,
    /// Path and query as they were sent.
    pub path: String,
    /// Headers as they were sent; of signatures and credentials only the length is told.
    pub headers: Vec<(String, String)>,
    /// The body, cut to 4 KiB.
    pub body: String,
    /// When its last byte arrived, in milliseconds since the start of the run.
    pub arrived_ms: u64,
    /// The status that the receiver answered, 0 when it gave no answer.
    pub answered: u16,
}

/// The hooks of a case, at most 12: the first one, and the last ones. Where one was refused, it is the first.
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
