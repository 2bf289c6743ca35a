//! The changes that the policy forbids: for each of the judge's kinds, a way to make it at a random place of a document.

mod promises;
mod requests;
mod responses;
mod schemas;
mod table;

pub(super) use table::{make, prepared};
