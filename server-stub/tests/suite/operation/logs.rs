//! The log of the program: its lines about each request, and data that it never contains.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::raw_connection::{get, send, status};
use crate::unused_address::UnusedAddress;
use crate::waiting::{ended, until_ok_blocking};

const PROGRAM: &str = env!("CARGO_BIN_EXE_contentgen-server");

pub(super) struct Server {
    process: Child,
    folder: TempDir,
    ready: Value,
}

impl Server {
    /// Starts a demonstration that writes its log into a file.
    pub(super) fn start(arguments: &[&str]) -> Self {
        Self::start_on("sqlite:server.db", arguments)
    }

    /// Starts a demonstration on another database.
    pub(super) fn start_on(database: &str, arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        Self::start_with_log(folder, log.into(), database, arguments)
    }

    /// Starts a demonstration in that folder that writes its log there.
    fn start_with_log(folder: TempDir, log: Stdio, database: &str, arguments: &[&str]) -> Self {
        let process = Command::new(PROGRAM)
            .args(["serve", "--demo", "--database", database, "--listen", "127.0.0.1:0"])
            .args(["--ready-file", "ready.json"])
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut server = Self { process, folder, ready: Value::Null };
        let path = server.path("ready.json");
        server.ready =
            serde_json::from_slice(&until_ok_blocking("the server is ready", || std::fs::read(&path))).unwrap();
        server
    }

    pub(super) fn base_url(&self) -> &str {
        self.ready["base_url"].as_str().unwrap()
    }

    pub(super) fn account(&self, member: &str) -> &str {
        self.ready["accounts"][0][member].as_str().unwrap()
    }

    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap()
    }

    /// Waits until the log contains all these messages.
    pub(super) fn wait_for_log(&self, messages: &[&str]) {
        until_ok_blocking("the log contains its messages", || {
            let log = self.log();
            if messages.iter().all(|message| log.contains(message)) { Ok(()) } else { Err(log) }
        });
    }

    /// Returns the path of a file in its folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the output of another command in its folder.
    pub(super) fn command(&self, arguments: &[&str]) -> Output {
        Command::new(PROGRAM).args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Stops the server in an orderly way. Returns its whole log.
    pub(super) fn finish(mut self) -> String {
        self.stop();
        self.log()
    }

    fn stop(&mut self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
    }
}

// A failing test must not leave its server running.
impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let line = answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {answer}"))
}

pub(super) fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_request_is_told_with_its_id_and_nothing_that_a_user_sent_is() {
    let server = Server::start(&["--log", "contentgen_server_stub=trace", "--log-format", "json"]);
    let (base_url, key, website_id) = (server.base_url(), server.account("api_key"), server.account("website_id"));
    let database = ["--database", "sqlite:server.db", "--account", server.account("name")];
    // No server listens there, so the log has a failed delivery.
    let unused = UnusedAddress::reserve();
    let url = format!("http://{}/planted-hook-path", unused.address);
    let hook = ["hook", "create", "--url", &url];
    let hook = server.run(&[&hook[..], &database[..]].concat());
    let secret = hook.lines().find_map(|line| line.strip_prefix("secret: ")).unwrap().to_owned();
    let json = "content-type: application/json\r\n";
    let with_key = format!("authorization: Bearer {key}\r\n{json}");
    let order = json!({
        "topic": "planted-topic of a rye starter", "website_id": website_id, "target_word_count": 200,
        "metadata": { "planted-name": "planted-value" },
    });
    let queued = send(base_url, "POST", "/api/v1/generate", &with_key, &order.to_string()).await;
    assert_eq!(status(&queued), 202, "{queued}");
    let lead = json!({
        "email": "planted-lead@example.org", "name": "Planted-Person", "message": "planted-message",
        "consent": { "given": true },
    });
    let capture = format!("/capture/{website_id}?planted-query=1");
    assert_eq!(status(&send(base_url, "POST", &capture, json, &lead.to_string()).await), 202);
    let unknown = "authorization: Bearer cgk_live_planted-key\r\n";
    assert_eq!(status(&send(base_url, "GET", "/api/v1/leads?page_token=planted-query", unknown, "").await), 401);
    let path = "/api/v1/articles/planted-path@example.org";
    assert_eq!(status(&send(base_url, "GET", path, &with_key, "").await), 404);
    assert_eq!(status(&send(base_url, "POST", "/api/v1/generate", &with_key, "{\"planted-broken\"").await), 400);
    assert_eq!(status(&get(base_url, "/planted-path").await), 404);
    let link = format!("/capture/{website_id}/confirmations/planted-token");
    assert_eq!(status(&send(base_url, "POST", &link, "", "").await), 404);
    server.wait_for_log(&["a hook was not delivered"]);
    let (key, secret) = (key.to_owned(), secret);
    let log = server.finish();
    for planted in ["lanted", &*key, &*secret] {
        let told = log.lines().find(|line| line.contains(planted));
        assert!(told.is_none(), "{planted}: {told:?}");
    }
    let lines = lines(&log);
    let answered: Vec<_> = lines.iter().filter(|line| line["message"] == "answered").collect();
    assert_eq!(answered.len(), 7, "{answered:#?}");
    assert!(answered.iter().any(|line| line["span"]["operation"] == "confirm_lead"), "{answered:#?}");
    let told = answered.iter().find(|line| line["span"]["request_id"] == header(&queued, "x-request-id")).unwrap();
    assert_eq!((&told["level"], &told["status"]), (&json!("INFO"), &json!(202)));
    assert_eq!((&told["span"]["operation"], &told["span"]["method"]), (&json!("generate"), &json!("POST")));
    assert!(told["microseconds"].as_u64().is_some_and(|time| time > 0), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_wrong_inside_bears_the_id_of_its_request_even_where_only_warnings_are_written() {
    let server = Server::start(&["--log", "warn", "--log-format", "json"]);
    let lock = rusqlite::Connection::open(server.path("server.db")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let order = json!({ "topic": "Away", "website_id": server.account("website_id") }).to_string();
    let headers = format!("authorization: Bearer {}\r\ncontent-type: application/json\r\n", server.account("api_key"));
    let refused = send(server.base_url(), "POST", "/api/v1/generate", &headers, &order).await;
    assert_eq!(status(&refused), 503, "{refused}");
    lock.execute_batch("ROLLBACK").unwrap();
    let request_id = header(&refused, "x-request-id").to_owned();
    let log = server.finish();
    let lines = lines(&log);
    let of_request: Vec<_> = lines.iter().filter(|line| line["span"]["request_id"] == *request_id).collect();
    let [inner, outer] = &of_request[..] else { panic!("{log}") };
    assert_eq!((&inner["message"], &inner["level"]), (&json!("cannot handle a request for now"), &json!("WARN")));
    let error = inner["error"].as_str().unwrap();
    assert!(error.starts_with("the database is unavailable: ") && error.contains("database is locked"), "{error}");
    assert_eq!((&outer["message"], &outer["status"]), (&json!("answered"), &json!(503)));
    assert_ne!(header(&refused, "retry-after"), "0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_destination_is_told_with_the_option_that_allows_it_and_the_address_at_debug_only() {
    let server = Server::start(&["--log", "contentgen_server_stub=debug", "--log-format", "json"]);
    let name = server.account("name");
    let url = "https://receiver.example/in";
    server.run(&["hook", "create", "--database", "sqlite:server.db", "--account", name, "--url", url]);
    // Simulates an address that was allowed when it was registered.
    let database = rusqlite::Connection::open(server.path("server.db")).unwrap();
    database.execute("UPDATE hook_endpoints SET url = 'https://10.9.8.7/in'", []).unwrap();
    let lead = r#"{"email":"someone@example.org"}"#;
    let path = format!("/capture/{}", server.account("website_id"));
    let taken = send(server.base_url(), "POST", &path, "content-type: application/json\r\n", lead).await;
    assert_eq!(status(&taken), 202);
    server.wait_for_log(&["a hook was not delivered"]);
    let lines = lines(&server.finish());
    let told = |words: &str| lines.iter().find(|line| line["message"].as_str().unwrap().contains(words)).unwrap();
    assert_eq!(told("--hook-allow-cidr")["level"], "INFO");
    let with_address: Vec<_> = lines.iter().filter(|line| line.to_string().contains("10.9.8.7")).collect();
    assert!(!with_address.is_empty() && with_address.iter().all(|line| line["level"] == "DEBUG"), "{with_address:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_nobody_reads_keeps_no_request_waiting_and_no_server_from_stopping() {
    let mut server =
        Server::start_with_log(TempDir::new().unwrap(), Stdio::piped(), "sqlite:server.db", &["--log-format", "json"]);
    // Several times the capacity of a pipe.
    for _ in 0..1500 {
        let request = get(server.base_url(), "/problems/job_not_found");
        let answer = ended("a request is answered that does not wait for the log", request).await;
        assert_eq!(status(&answer), 200);
    }
    server.stop();
}

#[test]
fn the_text_form_bears_the_id_too() {
    let server = Server::start(&["--metrics-listen", "127.0.0.1:0"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(get(server.base_url(), "/openapi.yaml"));
    let request_id = header(&answer, "x-request-id").to_owned();
    let health = runtime.block_on(get(server.base_url(), "/healthz"));
    let metrics_url = server.ready["metrics_url"].as_str().unwrap();
    assert!(metrics_url.starts_with("http://127.0.0.1:") && metrics_url.ends_with("/metrics"), "{metrics_url}");
    assert_eq!(status(&runtime.block_on(get(metrics_url, "/metrics"))), 200);
    let (health_id, log) = (header(&health, "x-request-id").to_owned(), server.finish());
    let line = log.lines().find(|line| line.contains(&request_id)).unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains("openapi") && line.contains("status=200") && !line.contains('\u{1b}'), "{line}");
    // A monitor that polls every few seconds would fill the log.
    assert!(!log.contains(&health_id), "{log}");
}
