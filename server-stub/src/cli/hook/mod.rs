//! `hook`: the commands about hook endpoints and their deliveries. `config` contains their options.

mod addresses;
mod commands;
mod lists;

pub(super) use addresses::{address_policy, check_listed, policy_of};
pub(super) use commands::run;
