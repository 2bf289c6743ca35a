//! Every fault and every benign variant, grouped by part of the contract: its row, and beside it the function that
//! implements it.

mod all;
mod echo;
mod fault;
mod refusals;
mod sender;

mod article;
mod auth;
mod benign;
mod contract;
mod hooks;
mod http;
mod idempotency;
mod input;
mod isolation;
mod json;
mod leads;
mod limits;
mod outside;
mod paging;
mod problems;
mod state;
mod transport;
mod validation;

pub use all::{all, find, similar};
pub use fault::{Fault, Kind, Profile};
