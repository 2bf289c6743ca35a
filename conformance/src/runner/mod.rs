//! Running requirements: set-up, transport, cases, shrinking, the hook receiver; emits events.
//!
//! Nothing here prints or writes reports: see `report`.

mod cases;
mod clock;
mod event;
mod known;
mod observers;
mod outcome;
mod plan;
mod preflight;
mod receiver;
mod set_up;
mod shrink;
mod suite;
mod target;
mod transport;

pub use clock::unix_seconds;
pub use event::{Event, Sink};
pub use known::KnownFailure;
pub use outcome::{Failure, Outcome, RequirementResult, Run, Verdicts};
pub use plan::Selection;
pub use set_up::SetUpError;
pub use suite::{Settings, Suite};
pub use target::{Account, HookRegistrar, HookSetUp, Limits, Registration, Target};
