//! The command `contentgen-conformance`.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_conformance::cli::main()
}
