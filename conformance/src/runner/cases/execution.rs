//! Runs one case.
//!
//! `search` selects the cases and combines their verdicts.

use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::future::FutureExt;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::findings::Findings;
use super::undecided::unless_rewritten;
use crate::check::{Activity, Capability, Context, Exchange, Finding, Halt, Origin, Precedence, Requirement, Verdict};
use crate::inbox::HookRequest;
use crate::runner::contract::Contract;
use crate::runner::outcome::Failure;
use crate::runner::settings::Flaky;
use crate::runner::transport::Transport;
use crate::strategies::Space;

/// Wait for quotas after which a failure may be due to the wait.
pub(super) const SHORT_WAIT: Duration = Duration::from_millis(200);

/// Longest time for removing the objects of a case, including waits for quotas.
const MAX_CLEAN_UP: Duration = Duration::from_secs(70);

/// Parameters of running a requirement's cases.
pub(crate) struct Execution<'run> {
    pub(crate) requirement: &'run Arc<Requirement>,
    pub(crate) space: &'run Space,
    pub(crate) context: &'run Context,
    pub(crate) transport: &'run Transport,
    pub(crate) contract: &'run dyn Contract,
    pub(crate) seed: u64,
    /// Indices of the cases.
    pub(crate) cases: Range<u32>,
    /// True if the requirement has only one case.
    pub(crate) is_single: bool,
    pub(crate) in_flight: usize,
    /// Activity of its cases, so that other requirements can run while they wait.
    pub(crate) activity: &'run Arc<Activity>,
    /// Longest time for one case.
    pub(crate) limit: Duration,
    /// No case begins after this time.
    pub(crate) deadline: Option<Instant>,
    /// Treatment of a finding that is not seen again.
    pub(crate) flaky: Flaky,
    /// Number of times that a failed case is repeated.
    pub(crate) retries: u32,
    pub(crate) shrinks: bool,
    /// Findings so far, for a run that is cut short.
    pub(crate) findings: &'run watch::Sender<Findings>,
    /// Called with the number of finished cases.
    pub(crate) progress: &'run (dyn Fn(u32) + Send + Sync),
}

/// One finished case.
pub(super) struct Ran {
    pub(super) verdict: Verdict,
    pub(super) shown: Shown,
}

/// The evidence of a case.
pub(super) struct Shown {
    /// Time that it waited for the target's quotas.
    pub(super) waited: Duration,
    trace: Vec<Arc<Exchange>>,
    /// The webhooks of a failed case, if the requirement is about webhooks.
    received: Vec<HookRequest>,
}

impl Shown {
    /// Returns true if the case waited so long for the target's quotas that the wait may have caused `finding`.
    pub(super) fn was_held_up(&self, finding: &Finding) -> bool {
        let is_decisive = |exchange: &Arc<Exchange>| finding.decisive == Some(exchange.id());
        // If the target has no room for a request, waiting for it was part of the case.
        let had_no_room = self.trace.iter().any(|exchange| is_decisive(exchange) && exchange.has_no_room());
        self.waited > SHORT_WAIT && !had_no_room
    }

    pub(super) fn into_failure(self, finding: Finding, case_index: u32, case: Value) -> Box<Failure> {
        let (exchanges, received) = (self.trace, self.received);
        Box::new(Failure { finding, case_index, case, shrink_steps: 0, exchanges, received, origin: None })
    }
}

impl Execution<'_> {
    pub(super) async fn one(&self, label: String, case_index: u32, case: Value) -> Ran {
        self.run_as(label, Precedence::Ordinary, case_index, case).await
    }

    pub(super) async fn run_as(&self, label: String, precedence: Precedence, case_index: u32, case: Value) -> Ran {
        let name = format!("{}-{label}", short(self.requirement.id));
        let origin = Origin { requirement: self.requirement.id, case_index, case: case.clone() };
        let context = self.context.for_case(&name, precedence, origin, self.activity);
        let check = self.requirement.check(context.clone(), case);
        let guarded = AssertUnwindSafe(check).catch_unwind();
        let verdict = tokio::select! {
            checked = guarded => checked.unwrap_or_else(|_| Err(Halt::Error("the check panicked".to_owned()))),
            () = context.has_taken(self.limit) => {
                Err(Halt::Inconclusive(format!("a case took longer than {} s", self.limit.as_secs())))
            }
        };
        let trace = context.trace();
        let verdict = verdict.map_err(|halt| unless_rewritten(halt, &trace));
        let is_about_hooks = self.requirement.needs.contains(&Capability::HOOKS);
        let shows_hooks = is_about_hooks && matches!(verdict, Err(Halt::Fail(_)));
        let received = if shows_hooks { context.received() } else { Vec::new() };
        let waited = context.waited_for_quotas();
        if verdict.is_err() {
            // Objects that are not removed stay queued at the target and do no harm.
            let _ = timeout(MAX_CLEAN_UP, self.contract.clean_up(&context)).await;
        }
        Ran { verdict, shown: Shown { waited, trace, received } }
    }
}

/// Returns the reason why `finding` is not decided.
pub(super) fn held_up(finding: &Finding, waited: Duration) -> String {
    format!(
        "the case failed (expected {}, observed {}), but it had waited {:.1} s for the target's quotas, which may be the cause",
        finding.expected,
        finding.observed,
        waited.as_secs_f64()
    )
}

/// Returns letters and digits that distinguish one requirement's names from another's.
fn short(id: &str) -> String {
    id.split(['.', '-']).map(|word| word.chars().take(3).collect::<String>()).collect()
}
