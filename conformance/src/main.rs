//! The command `contentgen-conformance`.
//!
//! The library's module `cli` implements it.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_conformance::cli::main()
}
