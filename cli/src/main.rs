//! The command `contentgen`.
//!
//! Everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_cli::main()
}
