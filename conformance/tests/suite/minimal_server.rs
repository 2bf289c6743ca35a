//! A server in Python with only the two operations of `docs/service.md`. It conforms to the core profile.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use crate::support::cli::{Workplace, ended};

const SOURCE: &str = include_str!("minimal_server.py");

/// The server, stopped when this value is dropped.
struct Minimal {
    server: Child,
    port: u16,
}

impl Minimal {
    /// Starts the server; returns `None`, with a message, if there is no Python.
    fn start() -> Option<Self> {
        let started = Command::new("python3").args(["-c", SOURCE]).stdout(Stdio::piped()).spawn();
        let Ok(mut server) = started else {
            std::io::stderr().write_all(b"skipped: there is no python3\n").unwrap();
            return None;
        };
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().parse().unwrap();
        Some(Self { server, port })
    }
}

impl Drop for Minimal {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[test]
fn a_server_with_the_two_documented_operations_conforms_to_core() {
    let Some(minimal) = Minimal::start() else { return };
    let place = Workplace::new();
    let base_url = format!("http://127.0.0.1:{}", minimal.port);
    let mut command = place.command(&["run", "--profile", "core", "--base-url", &base_url, "--report-dir", "r"]);
    let ran = ended(
        &command
            .env("CONTENTGEN_API_KEY", "live_minimal_0123456789abcdef")
            .env("CONTENTGEN_WEBSITE_ID", "site-1")
            .output()
            .unwrap(),
    );
    assert_eq!(ran.code, 0, "{}\n{}", ran.output, ran.errors);
    let report = place.json("r/report.json");
    assert_eq!(report["conclusion"], "conformant", "{}", ran.output);
    let core = &report["features"][0];
    assert_eq!((&core["name"], &core["passed"]), (&"core".into(), &core["applicable"]), "{core}");
    assert!(core["applicable"].as_u64().unwrap() >= 10, "{core}");
    assert!(place.read("r/badge.svg").contains(": conformant"));
}
