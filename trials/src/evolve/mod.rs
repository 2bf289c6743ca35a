//! `cargo trials evolve` makes random changes to the API document that its policy allows. It serves each changed document on a loopback
//! server and runs today's SDK and command line against it. It also makes forbidden changes, which the judge in `xtask` must name.

mod additions;
mod breaks;
mod calls;
mod command;
mod command_line;
mod evolution;
mod hooks;
mod kept;
mod places;
mod random;
mod report;
mod sampler;
mod server;
mod service;
#[cfg(test)]
mod tests;
mod trial;
mod verdict;

pub(crate) use command::{Arguments, run};
