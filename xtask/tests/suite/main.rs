//! The tasks from outside: what `cargo xtask docs`, `document` and `tidy` do, and what must hold of `openapi.yaml` before any of them.
//! How code is generated from it is tested beside the generator.

mod compatibility;
mod docs;
mod document;
mod tidy;
