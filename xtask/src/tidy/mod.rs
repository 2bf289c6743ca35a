//! `cargo xtask tidy`: whether the tree keeps the rules that a compiler does not check. One rule per file; what the code
//! means is none of this module's business.

mod command;
mod finding;
mod imports;
mod invariants;
mod manifests;
mod modules;
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
