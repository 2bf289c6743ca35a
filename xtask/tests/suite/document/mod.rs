//! Proves that `openapi.yaml` is whole and honest: every example fits its schema, nothing lacks a description, an example or
//! its provenance, marks for clients are consistent, and the table of problems agrees with the answers. How code is generated from it
//! is not tested here.

mod bounds;
mod completeness;
mod editions;
mod examples;
mod links;
mod marks;
mod problems;
mod references;
mod scopes;
mod source;
