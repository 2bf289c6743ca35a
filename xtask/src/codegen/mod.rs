//! From `openapi.yaml` to `sdk/src/generated.rs`: read, lower, project, generate, finish, write. The command writes the server's
//! `reference.html` too, which `docs` renders.
//!
//! The document itself is never changed here: what the generator cannot take is rewritten on a copy in memory, one
//! concern per file. Nothing of the client's behaviour lives here; that is written by hand in `sdk/src`.

mod bounds;
mod command;
#[cfg(test)]
mod command_tests;
mod components;
mod core_profile;
mod document;
mod emit_bounds;
mod emit_enums;
mod emit_filters;
mod emit_maps;
mod emit_pages;
mod emit_unions;
mod enums;
mod examples;
mod finish;
mod finish_builders;
mod finish_examples;
mod finish_parameters;
mod finish_personal;
mod finish_sending;
mod finish_setters;
mod finish_tolerance;
mod finish_types;
mod generate;
mod inline;
mod integers;
mod lower;
mod media;
mod members;
mod names;
mod operations;
mod responses;
mod roles;
#[cfg(test)]
mod tests;
mod type_graph;
mod unions;
mod words;

pub(crate) use command::{Arguments, run};
