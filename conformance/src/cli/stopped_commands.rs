//! A section of the output in which GitHub Actions runs no commands, because a target's text may look like one.
//!
//! `report` also escapes single commands in text.

use std::io::{self, Write};

use super::environment;

/// Stops commands in the output until this is ended or dropped.
pub(super) struct StoppedCommands {
    /// The word that ends it. Absent outside of GitHub Actions, and after the end.
    token: Option<String>,
}

impl StoppedCommands {
    /// Starts the section on both outputs, because the runner may read either of them first.
    pub(super) fn begin() -> Self {
        // Random, so that a target cannot end it.
        let token = environment::is_on_github().then(|| format!("{:032x}", rand::random::<u128>()));
        if let Some(token) = &token {
            // A closed pipe must not turn a verdict into a crash.
            let _ = writeln!(io::stderr().lock(), "::stop-commands::{token}");
            print(&format!("::stop-commands::{token}"));
        }
        Self { token }
    }

    /// Ends the section.
    pub(super) fn end(&mut self) {
        if let Some(token) = self.token.take() {
            print(&format!("::{token}::"));
        }
    }
}

impl Drop for StoppedCommands {
    fn drop(&mut self) {
        self.end();
    }
}

fn print(line: &str) {
    let mut output = io::stdout().lock();
    // A closed pipe must not turn a verdict into a crash.
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
