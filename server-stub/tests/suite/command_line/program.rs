//! The program under test: started, queried and stopped.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::plain_http;
use crate::waiting::until_ok_blocking;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_contentgen-server");

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Checks for one sentence on standard error, this exit code, and no sign of a crash.
pub(crate) fn assert_fails(output: &Output, code: i32, words: &str) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(error.contains(words), "{error:?} lacks {words:?}");
    assert!(!error.contains("panicked") && !error.contains("RUST_BACKTRACE"), "{error}");
}

/// Returns the value of a line `name: value`.
pub(super) fn value(output: &Output, name: &str) -> String {
    let out = text(&output.stdout);
    let line = out.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.unwrap_or_else(|| panic!("no {name} in {out:?} {}", text(&output.stderr))).to_owned()
}

pub(crate) struct Server {
    process: Child,
    /// Output after the greeting that has arrived so far.
    printed: Arc<Mutex<String>>,
    pub(crate) ready: Value,
    /// The first two lines of output: the addresses of the server and of its reference page.
    pub(crate) greeting: String,
}

impl Server {
    /// Starts `serve` with these arguments and waits for its ready file.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut server = Self::launch(folder, arguments);
        // The server prints the greeting after it has removed an earlier run's ready file and just before it writes its own.
        let mut output = BufReader::new(server.process.stdout.take().unwrap());
        output.read_line(&mut server.greeting).unwrap();
        output.read_line(&mut server.greeting).unwrap();
        let printed = Arc::clone(&server.printed);
        std::thread::spawn(move || {
            let mut line = String::new();
            while output.read_line(&mut line).is_ok_and(|length| length > 0) {
                printed.lock().unwrap().push_str(&std::mem::take(&mut line));
            }
        });
        let path = folder.join("ready.json");
        let ready = until_ok_blocking("the ready file is there", || std::fs::read(&path));
        server.ready = serde_json::from_slice(&ready).unwrap();
        server
    }

    /// Waits until the server has printed this text.
    pub(crate) fn expect_printed(&self, text: &str) {
        until_ok_blocking(&format!("`{text}` is printed"), || {
            let printed = self.printed.lock().unwrap().clone();
            if printed.contains(text) { Ok(()) } else { Err(printed) }
        });
    }

    /// Starts `serve` without waiting.
    pub(super) fn launch(folder: &Path, arguments: &[&str]) -> Self {
        let listen = if arguments.contains(&"--listen") { &[][..] } else { &["--listen", "127.0.0.1:0"] };
        let process = Command::new(PROGRAM)
            .args(["serve", "--ready-file", "ready.json"])
            .args(listen)
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, printed: Arc::default(), ready: Value::Null, greeting: String::new() }
    }

    pub(super) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Limits the number of descriptors of the process. Open ones stay open.
    pub(super) fn limit_descriptors(&self, most: u32) {
        let id = self.process.id().to_string();
        let limit = format!("--nofile={most}:");
        assert!(Command::new("prlimit").args(["--pid", &id, &limit]).status().unwrap().success());
    }

    /// Sends the signal and waits. Returns the exit code.
    pub(crate) fn stop(mut self, name: &str) -> Option<i32> {
        self.signal(name);
        self.process.wait().unwrap().code()
    }

    /// Waits until the process has ended by itself. Returns the exit code.
    pub(super) fn ended(&mut self) -> Option<i32> {
        until_ok_blocking("the process has ended", || self.process.try_wait().unwrap().ok_or("it runs")).code()
    }

    pub(super) fn http(&self, method: &str, path: &str, key: &str, body: &str) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = plain_http::following_client();
            let url = format!("{}{path}", self.ready["base_url"].as_str().unwrap());
            let request = client.request(method.parse().unwrap(), url).bearer_auth(key).header("prefer", "wait=30");
            let response =
                request.header("content-type", "application/json").body(body.to_owned()).send().await.unwrap();
            serde_json::from_str(&response.text().await.unwrap()).unwrap()
        })
    }
}

// A failing test must not leave its server running.
impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
