//! Tests `cargo xtask docs`, `document` and `tidy` from outside, and the consistency of `openapi.yaml`. Tests of code generation are beside
//! the generator.

mod compatibility;
#[cfg(unix)]
mod dist;
mod docs;
mod document;
mod tidy;
