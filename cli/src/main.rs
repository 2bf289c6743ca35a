//! The command `contentgen`.
//!
//! All logic is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_cli::main()
}
