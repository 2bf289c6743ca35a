//! From `openapi.yaml` to `sdk/src/generated.rs`: progenitor makes the types and the operations' signatures, and one template of ours the
//! builders. What progenitor cannot take is left out of the copy that it is given (`lower`). The command writes the server's
//! `reference.html` too, which `docs` renders, and its `openapi-3.1.json`, which `openapi_3_1` makes.
//!
//! Nothing of the client's behaviour lives here; that is written by hand in `sdk/src`. What clients must know of the API beside its
//! types stands in the document, under "Extension keywords".

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
mod shapes;
mod source;
#[cfg(test)]
mod tests;
mod types;
mod words;

pub(crate) use command::{Arguments, run};
