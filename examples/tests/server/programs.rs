//! Runs the example programs as a user does.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use axum::http::StatusCode;
use contentgen_sdk::test_util::{HookSigner, sample};
use contentgen_server_stub::server::Running as Server;

use super::command::{output, program, text};
use super::until::GIVE_UP_AFTER;
use super::{base_url, demonstration, free_address, full_client, http};

fn quickstart() -> Command {
    program(env!("CARGO_BIN_EXE_quickstart"))
}

/// Returns a program with the address and a key of the server.
fn at(server: &Server, path: &str) -> Command {
    let mut command = program(path);
    command.env("CONTENTGEN_BASE_URL", base_url(server)).env("CONTENTGEN_API_KEY", &server.accounts()[0].api_key);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quickstart_prints_an_article() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let mut command = quickstart();
    command.env("CONTENTGEN_BASE_URL", base_url(&server)).env("CONTENTGEN_API_KEY", &account.api_key);
    command.arg("Keeping bees on a balcony");
    let output = output(command).await;
    let (article, progress) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{progress}");
    assert!(article.starts_with("# ") && article.contains("\n## "), "{article}");
    assert!(progress.contains("completed 100%"), "{progress}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quickstart_writes_for_the_website_that_is_named() {
    let server = demonstration().await;
    let mut command = at(&server, env!("CARGO_BIN_EXE_quickstart"));
    command.env("CONTENTGEN_WEBSITE_ID", "web_nowhere");
    let output = output(command).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("website_not_found"), "{}", text(&output.stderr));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quickstart_says_what_to_do_when_it_cannot_work() {
    let server = demonstration().await;
    // No program ever listens on this address.
    let closed = format!("http://{}", free_address());
    let here = base_url(&server);
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[], "CONTENTGEN_BASE_URL"),
        (&[("CONTENTGEN_BASE_URL", &here)], "CONTENTGEN_API_KEY"),
        (&[("CONTENTGEN_BASE_URL", &here), ("CONTENTGEN_API_KEY", "secret_of_nobody")], "invalid_credentials"),
        (
            &[("CONTENTGEN_BASE_URL", &closed), ("CONTENTGEN_API_KEY", "secret_of_nobody")],
            "no connection to the server",
        ),
    ];
    for (variables, advice) in cases {
        let mut command = quickstart();
        command.envs(variables.iter().copied());
        let output = output(command).await;
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(advice) && message.lines().count() <= 2, "{message}");
        assert!(!message.contains("secret_of_nobody"), "{message}");
    }
    server.stop().await;
}

#[test]
fn receive_hooks_says_where_its_secret_comes_from() {
    let output = program(env!("CARGO_BIN_EXE_receive_hooks")).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("CONTENTGEN_HOOK_SECRET") && message.contains("hook create"), "{message}");
}

/// A program that runs until the test ends, and the lines that it prints.
struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program can be run");
        let output = child.stdout.take().expect("its output is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    /// Returns the next line that contains a word.
    fn line_with(&self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(GIVE_UP_AFTER).unwrap_or_else(|_| panic!("no line with {word:?}"));
            if line.contains(word) {
                return line;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receive_hooks_prints_what_happens_on_the_server() {
    let server = demonstration().await;
    let account = &server.accounts()[0];
    let address = free_address();
    let (_id, secret) = server.create_hook(&account.name, &format!("http://{address}/hooks"), &[]).await.unwrap();
    let mut command = program(env!("CARGO_BIN_EXE_receive_hooks"));
    command.env("CONTENTGEN_HOOK_SECRET", secret).arg("--listen").arg(address.to_string());
    command.env("CONTENTGEN_BASE_URL", base_url(&server)).env("CONTENTGEN_API_KEY", &account.api_key);
    let receiver = Running::start(command);
    receiver.line_with("listening on");
    full_client(&server).generate().topic("Rhubarb").website_id(account.website_id.as_str()).send().await.unwrap();
    let published = tokio::task::block_in_place(|| receiver.line_with("article.published"));
    assert!(published.contains("http://") && published.contains("fetched: "), "{published}");
    assert!(!published.contains("fetched: 0 words"), "{published}");
    let lead = http()
        .post(format!("{}/capture/{}", base_url(&server), account.website_id))
        .header("Content-Type", "application/json")
        .body(r#"{"email":"ada@example.com"}"#);
    lead.send().await.unwrap();
    let captured = tokio::task::block_in_place(|| receiver.line_with("lead.captured"));
    assert!(captured.contains("lead_") && captured.contains("fields: email"), "{captured}");
    assert!(!captured.contains("ada@"), "{captured}");
    let forged = http().post(format!("http://{address}/hooks")).body("{}").send().await.unwrap();
    assert_eq!(forged.status(), 400);
    tokio::task::block_in_place(|| receiver.line_with("refused"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_whose_answer_is_lost_is_queued_once() {
    let server = demonstration().await;
    for run in 1..=2 {
        let mut command = at(&server, env!("CARGO_BIN_EXE_retry_safely"));
        command.arg("order-1");
        let output = output(command).await;
        let told = text(&output.stdout);
        assert!(output.status.success(), "{told}{}", text(&output.stderr));
        assert!(told.contains("lost one answer") && told.contains("jobs for order-1: 1"), "run {run}: {told}");
        assert!(told.contains("sent 1 time: ") && told.contains("idempotency_mismatch"), "run {run}: {told}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receive_hooks_asks_again_for_what_it_cannot_fetch_or_read() {
    let busy = || async { (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "3600")]) };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let api = format!("http://{}", listener.local_addr().unwrap());
    let mut serving = tokio::task::JoinSet::new();
    serving.spawn(async move { axum::serve(listener, axum::Router::new().fallback(busy)).await });
    let signer = HookSigner::new();
    let address = free_address();
    let mut command = program(env!("CARGO_BIN_EXE_receive_hooks"));
    command.env("CONTENTGEN_HOOK_SECRET", signer.secret()).arg("--listen").arg(address.to_string());
    command.env("CONTENTGEN_BASE_URL", api).env("CONTENTGEN_API_KEY", "a-key");
    let receiver = Running::start(command);
    tokio::task::block_in_place(|| receiver.line_with("listening on"));
    let hook = signer.sign(&sample::article_published("evt_1", &sample::article_summary("art_1")));
    // An event of a newer version of the server.
    let newer = r#"{"type":"lead.captured","id":"evt_2","timestamp":"2026-01-01T00:00:00Z","api_version":"v2","data":{"leads":[]}}"#;
    let unreadable = signer.sign_bytes("evt_2", newer);
    for (hook, told) in [(hook, "evt_1 was not handled"), (unreadable, "evt_2 cannot be read")] {
        for _ in 0..2 {
            let request = http().post(format!("http://{address}/hooks"));
            let answer = request.headers(hook.headers.clone()).body(hook.body.clone()).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
            tokio::task::block_in_place(|| receiver.line_with(told));
        }
    }
}
