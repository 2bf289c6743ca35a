//! `cargo xtask tidy` checks rules of the tree that the compiler does not check. One rule per file.

mod command;
mod finding;
mod imports;
mod invariants;
mod manifests;
mod modules;
mod package_links;
mod packaging;
mod pure_domain;
mod reference_server;
mod requirement_files;
mod roots;
mod sizes;
mod test_clocks;
mod tokens;
mod tree;
mod words;

pub(crate) use command::{Arguments, run};
