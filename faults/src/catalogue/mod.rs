//! Every fault and every benign variant, by the part of the contract that it is about: its row, and beside it the small function
//! that does it.

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
