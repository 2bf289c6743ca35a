//! Runs the program.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use contentgen_server_stub::server::Running;
use serde_json::Value;

use super::server::base_url;

/// The variables that the program reads.
const VARIABLES: [&str; 7] = [
    "CONTENTGEN_API_KEY",
    "CONTENTGEN_BASE_URL",
    "CONTENTGEN_CA_CERT",
    "CONTENTGEN_CONFIG",
    "CONTENTGEN_HOOK_SECRET",
    "CONTENTGEN_PROFILE",
    "CONTENTGEN_WEBSITE_ID",
];

/// Result of a run.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) error: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
        Self { code: output.status.code(), output: text(output.stdout), error: text(output.stderr) }
    }

    /// Checks that the run succeeded and returns it.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Checks that the run ended with a code and returns it.
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Parses standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// Parses standard output as one JSON document per line.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.output.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }

    /// Returns the error on standard error, where every line is JSON.
    #[track_caller]
    pub(crate) fn json_error(&self) -> Value {
        let lines: Vec<Value> =
            self.error.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
        lines.last().unwrap_or_else(|| panic!("no error in {self:?}"))["error"].clone()
    }
}

/// The program without the variables of the tester's environment.
pub(crate) fn contentgen(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contentgen"));
    for name in VARIABLES {
        command.env_remove(name);
    }
    // Without the tester's profiles.
    command.env("XDG_CONFIG_HOME", "/nonexistent").args(words).stdin(Stdio::null());
    command
}

/// The program with a server's address and a key with all scopes.
pub(crate) fn at(server: &Running, words: &[&str]) -> Command {
    with_key(&base_url(server), &server.accounts()[0].api_key, words)
}

/// The program with an address and a key.
pub(crate) fn with_key(base_url: &str, api_key: &str, words: &[&str]) -> Command {
    let mut command = contentgen(words);
    command.env("CONTENTGEN_BASE_URL", base_url).env("CONTENTGEN_API_KEY", api_key);
    command
}

/// Runs a command with a text on its standard input.
pub(crate) async fn fed(mut command: Command, text: &str) -> Ended {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program can be run");
    // The program may refuse a long text before it has read all of it.
    let _written = child.stdin.take().expect("standard input is piped").write_all(text.as_bytes());
    let ended = tokio::task::spawn_blocking(move || child.wait_with_output());
    Ended::of(ended.await.expect("no panic").expect("the program ends"))
}

/// Runs a command to its end, on a thread that may block.
pub(crate) async fn run(mut command: Command) -> Ended {
    let output = tokio::task::spawn_blocking(move || command.output());
    Ended::of(output.await.expect("no panic").expect("the program can be run"))
}
