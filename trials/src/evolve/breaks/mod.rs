//! The changes that the policy forbids: for every kind that the judge knows, a way to make it at a random place of a document.

mod promises;
mod requests;
mod responses;
mod schemas;
mod table;

pub(super) use table::{make, prepared};
