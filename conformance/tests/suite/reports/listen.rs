//! `listen` shows webhooks and checks their signatures.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::support::cli::{COMMANDS, Workplace, assert_no_command};

/// A listening command, killed if a test ends early.
struct Listening {
    child: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Listening {
    fn start(arguments: &[&str], secret: &str) -> Self {
        let place = Workplace::new();
        let mut command = place.command(&[&["listen", "--port", "0"], arguments].concat());
        let mut child = command.env("MY_HOOK_SECRET", secret).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Self { child, output, address }
    }

    /// Sends one webhook and returns the status of the response.
    fn hook(&self, headers: &[(&str, &str)], body: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut head =
            format!("POST /in HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head = format!("{head}{name}: {value}\r\n");
        }
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }

    /// Returns the rest of its output until it ends by itself.
    fn rest(mut self) -> (i32, String) {
        let mut text = String::new();
        self.output.read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap().code().unwrap_or(-1), text)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // After a successful test it has ended by itself.
        let _ = self.child.kill();
    }
}

fn vector() -> Value {
    let vectors: Value = serde_json::from_str(include_str!("../../../vectors/webhook_signatures.json")).unwrap();
    vectors[0].clone()
}

#[test]
fn hooks_are_shown_with_the_verdict_on_their_signature_and_never_the_secret() {
    let vector = vector();
    let text = |name: &str| vector[name].as_str().unwrap();
    let body = STANDARD.decode(text("body_base64")).unwrap();
    let listening = Listening::start(&["--count", "3", "--secret-env", "MY_HOOK_SECRET"], text("secret"));
    let headers = [
        ("webhook-id", text("id")),
        ("webhook-timestamp", text("timestamp")),
        ("webhook-signature", text("signature")),
    ];
    assert_eq!(listening.hook(&headers, &body), "204");
    assert_eq!(listening.hook(&headers, &[&body[..], b" "].concat()), "204");
    let leak = format!("{{\"a\": \"{}\", \"b\": \"\u{1b}[2J\"}}", text("secret"));
    assert_eq!(listening.hook(&[("x-my-signature", "sha256=77")], leak.as_bytes()), "204");
    let (code, shown) = listening.rest();
    assert_eq!(code, 0);
    assert_eq!(shown.matches("POST /in -> 204").count(), 3, "{shown}");
    assert!(
        shown.contains(
            "signature          valid, but webhook-timestamp differs from the current time by more than 300 s"
        ),
        "{shown}"
    );
    assert!(shown.contains("signature          invalid: expected a v1 signature"), "{shown}");
    assert!(
        shown.contains(&format!("signed content     {}.{}. and the body: ", text("id"), text("timestamp"))),
        "{shown}"
    );
    assert_eq!(shown.matches("expected           v1,").count(), 1, "{shown}");
    assert!(shown.contains(&format!("received           {}", text("signature"))), "{shown}");
    assert!(shown.contains("likely reason      whitespace in the body was changed"), "{shown}");
    assert!(shown.contains("signature          invalid: expected a header webhook-id"), "{shown}");
    assert!(shown.contains(&format!("webhook-id         {}", text("id"))), "{shown}");
    assert!(shown.contains("x-my-signature     sha256=77"), "{shown}");
    assert!(shown.contains("3 webhooks."), "{shown}");
    assert!(!shown.contains(text("secret")) && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn nothing_of_a_hook_is_a_command_to_a_ci_system() {
    let listening = Listening::start(&["--count", "2"], "");
    let [middle, begin] = [COMMANDS.lines().next().unwrap(), "::add-mask::e"];
    let headers = [("x-middle", middle), ("x-begin", begin)];
    listening.hook(&headers, COMMANDS.as_bytes());
    listening.hook(&headers, serde_json::json!({ middle: COMMANDS }).to_string().as_bytes());
    let (_, shown) = listening.rest();
    assert!(shown.contains("task.setvariable") && shown.contains("2 webhooks."), "{shown}");
    assert_no_command(&shown);
}

#[test]
fn without_a_secret_hooks_are_shown_all_the_same() {
    let listening = Listening::start(&["--count", "1", "--answer", "503"], "");
    assert_eq!(
        listening.hook(&[("content-type", "application/json")], br#"{"type":"lead.captured","data":{}}"#),
        "503"
    );
    let (_, shown) = listening.rest();
    assert!(
        shown.contains("Signatures are not checked") && shown.contains("signature          not checked"),
        "{shown}"
    );
    assert!(shown.contains("  \"type\": \"lead.captured\""), "the body is indented: {shown}");
    assert!(shown.contains("1 webhook."), "{shown}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_a_count() {
    let listening = Listening::start(&[], "");
    listening.hook(&[], b"{}");
    let killed = std::process::Command::new("kill").args(["-INT", &listening.child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let (code, shown) = listening.rest();
    assert_eq!(code, 0, "{shown}");
    assert!(shown.ends_with("1 webhook.\n"), "{shown}");
}

#[test]
fn a_missing_secret_and_a_taken_port_are_one_sentence() {
    let place = Workplace::new();
    let missing = place.run(&["listen", "--port", "0", "--secret-env", "NO_SUCH_SECRET"]);
    assert_eq!(missing.code, 2);
    assert!(missing.errors.contains("NO_SUCH_SECRET"), "{}", missing.errors);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = place.run(&["listen", "--port", &port]);
    assert_eq!(ended.code, 3);
    assert!(ended.errors.contains("choose another --port"), "{}", ended.errors);
}
