//! `cargo xtask api`: the public items of the SDK in one committed listing, so that a change of them is seen in
//! review, and the Rust version that they need.

mod command;
mod difference;
mod listing;
mod msrv;

pub(crate) use command::{Arguments, run};
