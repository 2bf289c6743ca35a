//! The command `contentgen-conformance`.
//!
//! Everything it does lives in the library's module `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_conformance::cli::main()
}
