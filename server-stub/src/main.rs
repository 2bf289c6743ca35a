//! The program `contentgen-server`; everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    contentgen_server_stub::cli::run(std::env::args_os())
}
