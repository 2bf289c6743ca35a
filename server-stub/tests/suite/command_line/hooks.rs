//! `hook` and `lead erase`: an operator changes endpoints while a server sends to them.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use super::program::{PROGRAM, Server, assert_fails, run, text, value};
use crate::waiting::{GIVE_UP_AFTER, until_ok_blocking};

/// An account in a database, and commands for it.
pub(super) struct Operator<'f> {
    folder: &'f Path,
    account: &'static str,
}

impl Operator<'_> {
    pub(super) fn run(&self, command: &str, arguments: &[&str]) -> Output {
        let words: Vec<_> = command.split(' ').collect();
        run(self.folder, &[&words[..], &["--database", "sqlite:own.db", "--account", self.account], arguments].concat())
    }

    /// Runs a command that succeeds.
    pub(super) fn done(&self, command: &str, arguments: &[&str]) -> Output {
        let output = self.run(command, arguments);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
        output
    }

    /// Returns the objects that a list prints.
    pub(super) fn objects(&self, command: &str, arguments: &[&str]) -> Vec<Value> {
        let output = self.done(command, &[arguments, &["--json"]].concat());
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Waits until the list's first object meets the condition.
    fn wait_for(&self, command: &str, arguments: &[&str], is_so: impl Fn(&Value) -> bool) -> Value {
        until_ok_blocking(&format!("{command} shows the wanted object first"), || {
            let first = self.objects(command, arguments).into_iter().next().unwrap_or_default();
            if is_so(&first) { Ok(first) } else { Err(first) }
        })
    }
}

/// Creates two accounts in one database, the first with a website.
pub(super) fn two_accounts(folder: &Path) -> [Operator<'_>; 2] {
    let operators = ["own", "other"].map(|account| Operator { folder, account });
    for operator in &operators {
        let made = ["account", "create", "--database", "sqlite:own.db", "--name", operator.account];
        assert_eq!(run(folder, &made).status.code(), Some(0));
    }
    operators
}

/// Starts a receiver that responds to every request with this status, and reports each request.
fn receiver(status: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/in", listener.local_addr().unwrap());
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            drop(tell.send(answer(stream, status)));
        }
    });
    (url, told)
}

/// Reads a request to its end, responds and closes the connection.
fn answer(mut stream: TcpStream, status: &str) -> String {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).unwrap_or(0);
        request.extend_from_slice(&buffer[..read]);
        let seen = String::from_utf8_lossy(&request).into_owned();
        let is_whole = seen.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            body.len() >= length.parse::<usize>().unwrap()
        });
        if is_whole || read == 0 {
            drop(stream.write_all(
                format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok").as_bytes(),
            ));
            return seen;
        }
    }
}

#[test]
fn an_operator_looks_after_hooks_beside_a_running_server() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, _] = two_accounts(folder.path());
    let (url, told) = receiver("500 Internal Server Error");
    let created = own.done("hook create", &["--url", &url]);
    let (id, secret) = (value(&created, "hook"), value(&created, "secret"));
    let id = ["--id", &id];
    let server = Server::start(folder.path(), &["--database", "sqlite:own.db", "--allow-loopback-hooks"]);
    assert_eq!(value(&own.done("hook reveal", &id), "secret"), secret);

    // A test event arrives, fails, and is not retried.
    let delivery = value(&own.done("hook test", &id), "delivery");
    let request = told.recv_timeout(GIVE_UP_AFTER).unwrap();
    assert!(request.contains("\"type\":\"hook.test\""), "{request}");
    let first = own.wait_for("hook deliveries", &id, |first| first["status"] == "failed");
    assert_eq!((&first["id"], &first["event_type"]), (&json!(delivery), &json!("hook.test")));
    let attempts = own.objects("hook attempts", &["--delivery", &delivery]);
    assert_eq!(
        (attempts.len(), &attempts[0]["kind"], &attempts[0]["response_status"]),
        (1, &json!("test"), &json!(500))
    );
    assert_eq!(attempts[0]["response_head"], "ok");
    let columns = text(&own.done("hook attempts", &["--delivery", &delivery]).stdout);
    assert_eq!(columns.lines().next().unwrap().split_whitespace().nth(4), Some("response"), "{columns}");

    // A redelivery has the same id.
    assert_eq!(value(&own.done("hook redeliver", &["--delivery", &delivery]), "status"), "pending");
    let again = told.recv_timeout(GIVE_UP_AFTER).unwrap();
    let event = first["event_id"].as_str().unwrap();
    assert!(request.contains(event) && again.contains(&format!("webhook-id: {event}")), "{again}");
    own.wait_for("hook deliveries", &id, |first| first["status"] == "failed");
    let by_event = [&id[..], &["--event", event]].concat();
    assert_eq!(value(&own.done("hook redeliver", &by_event), "delivery"), delivery);
    let again = told.recv_timeout(GIVE_UP_AFTER).unwrap();
    assert!(again.contains(&format!("webhook-id: {event}")), "{again}");
    assert_fails(
        &own.run("hook redeliver", &[&id[..], &["--event", "evt_none"]].concat()),
        2,
        "no delivery of the event",
    );
    assert_fails(&own.run("hook redeliver", &id), 2, "--event");
    assert_fails(&own.run("hook redeliver", &[]), 2, "--delivery");

    // A paused endpoint gets no events. A resumed endpoint gets them again.
    assert_eq!(value(&own.done("hook pause", &id), "status"), "paused");
    assert_fails(&own.run("hook test", &id), 2, "resume it first");
    assert_fails(&own.run("hook recover", &[&id[..], &["--since", "2026-01-01T00:00:00Z"]].concat()), 2, "14 days");
    assert_eq!(own.objects("hook list", &[])[0]["status"], "paused");
    assert_eq!(value(&own.done("hook resume", &id), "status"), "active");

    let rotated = own.done("hook rotate", &[&id[..], &["--overlap", "2h"]].concat());
    assert_ne!(value(&rotated, "secret"), secret);
    assert_eq!(value(&own.done("hook reveal", &id), "secret"), value(&rotated, "secret"));
    let list = own.done("hook list", &[]);
    assert!(text(&list.stdout).contains(&url) && !text(&list.stdout).contains("whsec_"), "{}", text(&list.stdout));
    assert_eq!(value(&own.done("hook remove", &id), "removed"), id[1]);
    assert_fails(&own.run("hook remove", &id), 2, "hook list");
    assert_eq!(server.stop("-TERM"), Some(0));
}

#[test]
fn a_receiver_inside_is_registered_where_its_network_is_listed() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, _] = two_accounts(folder.path());
    let inside = ["http://10.1.2.3/", "https://10.1.2.3/", "http://10.1.2.3:22/in", "http://[fd00:1::9]/"];
    for url in inside {
        assert_fails(&own.run("hook create", &["--url", url]), 2, "--hook-allow-cidr");
    }
    let listed = ["--hook-allow-cidr", "10.1.0.0/16", "--hook-allow-cidr", "fd00:1::/32"];
    for url in inside {
        let created = own.done("hook create", &[&["--url", url], &listed[..]].concat());
        assert!(value(&created, "hook").starts_with("hook_"), "{url}");
    }
    let registered: Vec<_> = own.objects("hook list", &[]).iter().map(|hook| hook["url"].clone()).collect();
    assert_eq!(registered, inside);
    // The server resolves a listed name before each delivery. Similar names and other forms stay forbidden.
    own.done("hook create", &[&["--url", "http://receiver.inside/"], &listed[..]].concat());
    for (url, words) in [
        ("https://10.2.0.1/", "not allowed"),
        ("http://10.2.0.1/", "https://"),
        ("http://user@10.1.2.3/", "user name"),
        ("ftp://10.1.2.3/", "https://"),
    ] {
        assert_fails(&own.run("hook create", &[&["--url", url], &listed[..]].concat()), 2, words);
    }
    let many = vec!["10.1.0.0/16"; 65].join(",");
    assert_fails(
        &own.run("hook create", &["--url", inside[0], "--hook-allow-cidr", &many]),
        2,
        "at most 64 are allowed",
    );
}

#[test]
fn the_variable_that_lists_networks_for_the_server_lists_them_for_registration_too() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, _] = two_accounts(folder.path());
    let create =
        ["hook", "create", "--database", "sqlite:own.db", "--account", own.account, "--url", "http://10.1.2.3/"];
    let created = std::process::Command::new(PROGRAM)
        .args(create)
        .env("CONTENTGEN_HOOK_ALLOW_CIDRS", "192.168.7.0/24,10.1.0.0/16")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(value(&created, "secret").starts_with("whsec_"));
}

#[test]
fn what_belongs_to_another_account_is_not_there() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, other] = two_accounts(folder.path());
    let id = value(&own.done("hook create", &["--url", "https://example.com/hooks"]), "hook");
    let delivery = value(&own.done("hook test", &["--id", &id]), "delivery");
    // An account with a webhook has no more access than an account without one.
    let of_other = value(&other.done("hook create", &["--url", "https://example.com/other"]), "hook");
    for command in ["rotate", "pause", "resume", "remove", "test", "reveal", "deliveries"] {
        assert_fails(&other.run(&format!("hook {command}"), &["--id", &id]), 2, "has no webhook endpoint");
    }
    let recent = ["--id", &id, "--since", "2999-01-01T00:00:00Z"];
    assert_fails(&own.run("hook recover", &recent), 2, "future");
    for command in ["redeliver", "attempts"] {
        assert_fails(&other.run(&format!("hook {command}"), &["--delivery", &delivery]), 2, "has no delivery");
    }
    let listed = other.objects("hook list", &[]);
    assert_eq!((listed.len(), &listed[0]["id"]), (1, &json!(of_other)));
    assert_fails(&own.run("lead erase", &["--id", "lead_1"]), 2, "has no lead");
    assert_fails(&own.run("hook pause", &["--id", "hook 1"]), 2, "id is not valid");
    assert_fails(&own.run("hook rotate", &["--id", &id, "--overlap", "8d"]), 2, "7d");
    assert_fails(&own.run("hook rotate", &["--id", &id, "--overlap", "often"]), 2, "24h");
    // One token in 64 begins like a flag.
    for token in ["x", "-x"] {
        assert_fails(&own.run("hook deliveries", &["--id", &id, "--page-token", token]), 2, "first page");
    }
    // All these commands failed without a change.
    assert_eq!(own.objects("hook list", &[])[0]["status"], "active");
    assert_eq!(own.objects("hook deliveries", &["--id", &id])[0]["status"], "pending");
}

#[test]
fn the_log_is_walked_page_by_page() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, _] = two_accounts(folder.path());
    let id = value(&own.done("hook create", &["--url", "https://example.com/hooks"]), "hook");
    let mut sent: Vec<_> = (0..5).map(|_| value(&own.done("hook test", &["--id", &id]), "delivery")).collect();
    sent.reverse();
    let mut seen = Vec::new();
    let mut token = None;
    loop {
        let mut arguments = vec!["--id", &id, "--limit", "2"];
        arguments.extend(token.iter().flat_map(|token: &String| ["--page-token", token]));
        let objects = own.objects("hook deliveries", &arguments);
        seen.extend(objects.iter().filter_map(|object| object["id"].as_str().map(str::to_owned)));
        token = objects.last().and_then(|last| last["next_page"].as_str().map(str::to_owned));
        if token.is_none() {
            break;
        }
    }
    assert_eq!(seen, sent);
}

#[test]
fn an_erased_lead_is_gone() {
    let folder = tempfile::TempDir::new().unwrap();
    let [own, other] = two_accounts(folder.path());
    let website = own.done("website create", &["--name", "Own", "--url", "https://own.example"]);
    let website_id = value(&website, "website_id");
    let key = value(&own.done("key create", &["--name", "k"]), "key");
    let id = value(&own.done("hook create", &["--url", "https://example.com/hooks"]), "hook");
    let server = Server::start(folder.path(), &["--database", "sqlite:own.db", "--roles", "api"]);
    for address in ["one@example.org", "two@example.org"] {
        let lead = json!({ "email": address, "consent": { "given": true } }).to_string();
        server.http("POST", &format!("/capture/{website_id}"), &key, &lead);
    }
    let leads = server.http("GET", "/api/v1/leads", &key, "");
    let lead = leads["items"].as_array().unwrap().iter().find(|lead| lead["email"] == "one@example.org").unwrap();
    let lead_id = lead["id"].as_str().unwrap();
    assert_fails(&other.run("lead erase", &["--id", lead_id]), 2, "has no lead");
    assert_eq!(own.objects("hook deliveries", &["--id", &id]).len(), 2);
    assert_fails(&own.run("lead erase", &["--id", lead_id, "--email", "a@example.com"]), 2, "cannot be used with");
    assert_fails(&own.run("lead erase", &[]), 2, "required");
    assert_fails(&own.run("lead export", &["--email", "nobody"]), 2, "e-mail address is not valid");
    let told = text(&own.done("lead export", &["--email", "ONE@example.org"]).stdout);
    let told: Value = serde_json::from_str(told.trim()).unwrap();
    assert_eq!((told["lead"]["id"].as_str(), &told["recipients"][0]["status"]), (Some(lead_id), &"pending".into()));
    assert_eq!(told["recipients"][0]["url"], "https://example.com");
    assert_eq!(value(&own.done("lead erase", &["--id", lead_id]), "erased"), lead_id);
    let left = server.http("GET", "/api/v1/leads", &key, "");
    assert_eq!((left["items"].as_array().unwrap().len(), &left["items"][0]["email"]), (1, &json!("two@example.org")));
    assert_eq!(own.objects("hook deliveries", &["--id", &id]).len(), 1);
    assert_fails(&own.run("lead erase", &["--id", lead_id]), 2, "has no lead");
    assert_eq!(value(&own.done("lead erase", &["--email", "two@example.org"]), "erased"), "1");
    assert_eq!(value(&own.done("lead erase", &["--email", "two@example.org"]), "erased"), "0");
    assert_eq!(server.stop("-TERM"), Some(0));
}
