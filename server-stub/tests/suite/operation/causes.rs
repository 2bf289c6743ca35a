//! Causes of internal errors: the log contains the cause, and no data of a row.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::logs::{Server, lines};
use super::raw_connection::{get, send, status};
use crate::postgres::Schema;
use crate::waiting::until;

const JSON: &str = "content-type: application/json\r\n";

/// A connection to a database that the test can cut.
struct Relay {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

impl Relay {
    fn to(target: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (is_cut, streams) = (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<TcpStream>>>::default());
        let (target, cut, open) = (target.to_owned(), Arc::clone(&is_cut), Arc::clone(&streams));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if cut.load(Ordering::SeqCst) {
                    continue;
                }
                let server = TcpStream::connect(&target).unwrap();
                for (mut from, mut to) in [(&client, &server), (&server, &client)].map(|(from, to)| {
                    open.lock().unwrap().push(from.try_clone().unwrap());
                    (from.try_clone().unwrap(), to.try_clone().unwrap())
                }) {
                    std::thread::spawn(move || {
                        drop(io::copy(&mut from, &mut to));
                        drop(to.shutdown(Shutdown::Both));
                    });
                }
            }
        });
        Self { address, is_cut, streams }
    }

    /// Ends all connections. Later ones end at once.
    fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for stream in self.streams.lock().unwrap().drain(..) {
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

fn capture_path(server: &Server) -> String {
    format!("/capture/{}", server.account("website_id"))
}

fn with_message<'l>(lines: &'l [Value], message: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["message"] == message).collect()
}

/// Returns the error of a line. It must say more than that the database is unavailable.
fn cause(line: &Value) -> &str {
    let error = line["error"].as_str().unwrap_or_else(|| panic!("{line}"));
    let cause = error.split_once("the database is unavailable: ").map(|(_, cause)| cause);
    cause.filter(|cause| cause.len() > 10).unwrap_or_else(|| panic!("{line}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_cannot_be_written_to_is_told_with_its_cause_to_the_log_and_to_whoever_runs_a_command() {
    let server = Server::start(&["--log", "warn", "--log-format", "json", "--roles", "api"]);
    let lock = rusqlite::Connection::open(server.path("server.db")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let lead = json!({ "email": "planted@example.org" }).to_string();
    let refused = send(server.base_url(), "POST", &capture_path(&server), JSON, &lead).await;
    assert_eq!(status(&refused), 503, "{refused}");
    let output = server.command(&["account", "create", "--database", "sqlite:server.db", "--name", "another"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("database is locked"), "{message}");
    lock.execute_batch("ROLLBACK").unwrap();
    let lines = lines(&server.finish());
    let told = with_message(&lines, "cannot handle a request for now");
    assert_eq!(told.len(), 1, "{lines:?}");
    assert!(cause(told[0]).contains("database is locked"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_server_that_goes_away_is_told_with_its_cause_wherever_it_is_missed() {
    let Some(schema) = Schema::new() else { return };
    let (scheme_and_user, rest) = schema.address().split_once('@').unwrap();
    let (target, database) = rest.split_once('/').unwrap();
    let relay = Relay::to(target);
    let address = format!("{scheme_and_user}@{}/{database}", relay.address);
    let server = Server::start_on(&address, &["--log", "warn", "--log-format", "json"]);
    relay.cut();
    let lead = json!({ "email": "planted@example.org" }).to_string();
    let refused = send(server.base_url(), "POST", &capture_path(&server), JSON, &lead).await;
    assert_eq!(status(&refused), 503, "{refused}");
    assert_eq!(status(&get(server.base_url(), "/readyz").await), 503);
    assert_eq!(status(&get(server.base_url(), &format!("/sites/{}", server.account("website_id"))).await), 503);
    let messages = [
        "cannot lease quota requests from the database; this process counts quotas alone",
        "cannot handle a request for now",
        "the database cannot be written to",
        "cannot show a page of the hosted site",
        "the worker cannot read its queue; it retries",
        "the scheduler cannot read its queue; it retries",
        "the dispatcher cannot read its queue; it retries",
        "the sender of edited articles cannot read its queue; it retries",
        "cannot receive announcements from other processes; polling for work instead",
    ];
    // A check that exceeds its time limit has no cause. Retry, because the machine may be busy.
    until("a check shows its cause", async || {
        assert_eq!(status(&get(server.base_url(), "/readyz").await), 503);
        server.log().contains("the database cannot be written to")
    })
    .await;
    server.wait_for_log(&messages);
    let lines = lines(&server.log());
    for message in messages {
        for line in with_message(&lines, message) {
            // Announcements do not use the store, so their error comes from the connection.
            let tells = if message.starts_with("cannot receive announcements") {
                line["error"].as_str().unwrap()
            } else {
                cause(line)
            };
            assert!(tells.contains("connect") || tells.contains("communicating"), "{line}");
        }
    }
    // Each error is logged once, in the line about its effect. Purging may or may not be under way.
    let of_database: Vec<_> = lines.iter().filter(|line| line.to_string().contains("communicating")).collect();
    let is_known = |line: &Value| {
        line["message"] == "cannot delete expired records; retrying later"
            || messages.iter().any(|message| line["message"] == *message)
    };
    assert!(of_database.into_iter().all(is_known), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_database_says_of_a_row_stays_out_of_the_log() {
    let Some(schema) = Schema::new() else { return };
    let server = Server::start_on(schema.address(), &["--log", "contentgen_server_stub=trace", "--log-format", "json"]);
    schema.execute("ALTER TABLE leads ADD CONSTRAINT planted_check CHECK (length(body) < 10)");
    let lead = json!({ "email": "private@example.org", "name": "Private-Person", "message": "private-message" });
    let failed = send(server.base_url(), "POST", &capture_path(&server), JSON, &lead.to_string()).await;
    assert_eq!(status(&failed), 500, "{failed}");
    schema.execute(
        "ALTER TABLE leads DROP CONSTRAINT planted_check;
         CREATE FUNCTION quote() RETURNS trigger LANGUAGE plpgsql AS
             'BEGIN RAISE EXCEPTION ''private %'', NEW.body USING ERRCODE = ''22000''; END';
         CREATE TRIGGER quote BEFORE INSERT ON leads FOR EACH ROW EXECUTE FUNCTION quote()",
    );
    let failed = send(server.base_url(), "POST", &capture_path(&server), JSON, &lead.to_string()).await;
    assert_eq!(status(&failed), 500, "{failed}");
    let log = server.finish();
    assert!(!log.to_lowercase().contains("private"), "{log}");
    let lines = lines(&log);
    let told = with_message(&lines, "cannot handle a request");
    let [of_constraint, of_trigger] = &told[..] else { panic!("{log}") };
    let (of_constraint, of_trigger) = (of_constraint["error"].as_str().unwrap(), of_trigger["error"].as_str().unwrap());
    assert!(of_constraint.contains("planted_check") && of_constraint.contains("23514"), "{of_constraint}");
    assert!(of_trigger.contains("22000"), "{of_trigger}");
}
