//! The scenarios: actions on a working server. `oracle` checks the result.

mod clock;
mod database_away;
mod disk_full;
mod endpoint_changes;
mod failpoints;
mod fencing;
mod graceful_stop;
mod kill_loop;
mod name;
mod pause;
mod plan;
mod power_loss;
mod publishing;
mod restore;

pub(super) use name::Scenario;
pub(super) use plan::{Plan, run};
