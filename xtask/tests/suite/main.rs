//! The tasks from outside: what `cargo xtask docs` and `cargo xtask tidy` do, and what must hold of `openapi.yaml` before any of them.
//! How code is generated from it is tested beside the generator.

mod docs;
mod document;
mod tidy;
