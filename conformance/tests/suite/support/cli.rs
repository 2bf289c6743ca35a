//! The command in a separate folder.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::{Fake, Seen, answer};

/// Key of every test. It must not appear in any output.
pub(crate) const KEY: &str = "cg_live_0123456789abcdefSECRET";

/// Texts that CI systems would run as commands, in the middle and at the beginning of a line.
pub(crate) const COMMANDS: &str = "##[set-output name=x]y ##[stop-commands]z ##[add-mask]e ##vso[task.setvariable variable=x]y \
                                   ##teamcity[buildStop]\n::set-output name=x::y\n ::add-mask::e";

/// Fails if a CI system would run a command in an output.
#[track_caller]
pub(crate) fn assert_no_command(output: &str) {
    for line in output.lines() {
        let commands = ["##[", "##vso[", "##teamcity["];
        assert!(!commands.iter().any(|command| line.contains(command)), "{line}");
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
}

/// Returns true if a request has that key.
pub(crate) fn has_key(seen: &Seen) -> bool {
    seen.header("authorization") == Some(&format!("Bearer {KEY}"))
}

/// Starts a server that accepts every request with the right key, and responds to unknown keys with this status.
pub(crate) fn guarded(strangers: u16) -> Fake {
    Fake::start(move |seen| {
        if has_key(seen) {
            return answer(202, &[("content-type", "application/json")], br#"{"job_id":"1"}"#);
        }
        let problem = format!(r#"{{"type":"about:blank","title":"Not found","status":{strangers}}}"#);
        answer(strangers, &[("content-type", "application/problem+json")], problem.as_bytes())
    })
}

/// Result of one command.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// A folder for running the command.
pub(crate) struct Workplace {
    pub(crate) folder: TempDir,
}

impl Workplace {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the command, ready to run here. Its environment has a key and nothing else from outside.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contentgen-conformance"));
        command.args(arguments).current_dir(self.path());
        for variable in ["CONTENTGEN_OTHER_API_KEY", "CONTENTGEN_LIMITED_API_KEY", "GITHUB_ACTIONS"] {
            command.env_remove(variable);
        }
        command.env("CONTENTGEN_API_KEY", KEY).env("CONTENTGEN_WEBSITE_ID", "web_1");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(&self.command(arguments).output().unwrap())
    }

    /// Returns the content of a file below the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes a shell script that can be called by its name. Another process writes it: a file that is open for writing cannot be run, and
    /// processes of other tests would inherit the open file.
    #[cfg(unix)]
    pub(crate) fn write_script(&self, name: &str, text: &str) {
        let text = format!("#!/bin/sh\nset -eu\n{text}\n");
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut writer = Command::new("sh");
        writer.args(["-c", r#"printf %s "$1" > "$0" && chmod 755 "$0""#]).arg(path).arg(text);
        assert!(writer.status().unwrap().success());
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }
}

pub(crate) fn ended(output: &Output) -> Ended {
    Ended {
        code: output.status.code().unwrap(),
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
