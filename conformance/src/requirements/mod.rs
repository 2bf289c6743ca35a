//! The catalogue: a folder for each area, a file in it for each subject, named by the first two words of the ids it holds.
//!
//! What checks are made of lives in `check`, steps that several areas share in `steps`.

mod answers;
mod articles;
mod auth;
mod capture;
mod catalogue;
mod generate;
mod headers;
mod hooks;
mod http;
mod idempotency;
mod ids;
mod isolation;
mod jobs;
mod leads;
mod limits;
mod pages;
mod pipeline;
mod problems;
mod sequences;
mod voice;
mod websites;

pub use catalogue::catalogue;
