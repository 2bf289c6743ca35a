//! Generates `sdk/src/generated.rs` from `openapi.yaml`: progenitor makes the types and the operations' signatures, and our template the
//! builders. `lower` removes the parts that progenitor does not support. The command also writes the server's `reference.html`, which
//! `docs` renders, and its `openapi-3.1.json`, which `openapi_3_1` makes. The client's behaviour is hand-written in `sdk/src`. The
//! document's section "Extension keywords" describes the rest that clients must know.

mod bounds;
mod builder;
mod command;
#[cfg(test)]
mod command_tests;
mod document;
mod example;
mod generator;
mod lower;
mod operation;
mod personal;
mod schema;
mod shapes;
mod source;
#[cfg(test)]
mod tests;
mod types;
mod words;

pub(crate) use command::{Arguments, run};
