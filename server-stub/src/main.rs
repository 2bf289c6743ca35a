//! The program `contentgen-server`. The library contains all its logic.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_server_stub::cli::run(std::env::args_os())
}
