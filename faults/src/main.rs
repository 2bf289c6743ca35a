//! The program `contentgen-faults`; everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_faults::cli::run(std::env::args_os())
}
