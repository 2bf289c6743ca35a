//! Runs requirements: set-up, transport, cases, shrinking, the webhook receiver; emits events.

mod cases;
mod clock;
mod contract;
mod declared_limits;
mod event;
mod latency;
mod observers;
mod outcome;
mod preflight;
mod quotas;
mod raw;
mod receiver;
mod receiver_answer;
mod records;
mod selection;
mod settings;
mod side_by_side;
mod stage;
mod suite;
mod target;
mod transport;
mod trust;

pub use clock::{unix_milliseconds, unix_seconds};
pub use contract::{Contract, OwnTexts, Questions};
pub use event::{Event, Sink};
pub use latency::OperationLatency;
pub use outcome::{Failure, Outcome, RequirementResult, Run, Verdicts};
pub use quotas::Quota;
pub use records::Archived;
pub use selection::{LeftOut, Selection, Shard};
pub use settings::{DEFAULT_CASES, Flaky, Interrupt, InterruptSwitch, KnownFailure, MAX_RETRIES, Replay, Settings};
pub use suite::Suite;
pub use target::{
    Account, DeclaredLimits, ExtraHeader, HookSetUp, HttpsProxy, KeyVariables, Limits, SetUpError, Target,
};

pub use crate::inbox::{HookAbility, HookRegistrar, Registration};
