//! Runs the example programs.

use std::process::{Command, Output};

/// Returns a command without the environment variables of the user who runs the tests.
pub(crate) fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    for name in ["CONTENTGEN_API_KEY", "CONTENTGEN_BASE_URL", "CONTENTGEN_WEBSITE_ID", "CONTENTGEN_HOOK_SECRET"] {
        command.env_remove(name);
    }
    command
}

/// Runs a program to its end, on a thread for blocking work.
pub(crate) async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output()).await.expect("no panic").expect("the program can be run")
}

/// Converts the output of a program to text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
