//! The public API, tried over real sockets against a real server. Every answer is checked against the document as it comes in.
#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod articles;
mod capture;
mod client;
mod conditional;
mod contract;
mod credentials;
mod generate;
mod idempotency;
mod isolation;
mod jobs;
mod lists;
mod problems;
mod quotas;
mod raw;
mod routes;
mod validation;
mod world;
