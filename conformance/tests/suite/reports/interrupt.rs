//! An interrupted run removes its registrations and reports its results so far.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::support::cli::{KEY, Workplace, ended};
use crate::support::{Fake, answer};

/// Time limit until the run reaches the request without a response.
const PATIENCE: Duration = Duration::from_mins(1);

/// A target that responds to unknown keys with `strangers`. With the right key it responds only to the first order, and to the order about
/// a pencil. That order shows that the key caused the rejections.
fn stuck(strangers: u16) -> (Fake, mpsc::Receiver<()>) {
    let (begun, has_begun) = mpsc::channel();
    let begun = Mutex::new(begun);
    let orders = AtomicU32::new(0);
    let fake = Fake::start(move |seen| {
        let is_known = seen.header("authorization") == Some(&format!("Bearer {KEY}"));
        if seen.path.ends_with("/generate") && is_known {
            let is_control = String::from_utf8_lossy(&seen.body).contains("pencil");
            if is_control || orders.fetch_add(1, Ordering::Relaxed) == 0 {
                return answer(202, &[("content-type", "application/json")], br#"{"job_id":"1"}"#);
            }
            let _ = begun.lock().unwrap_or_else(PoisonError::into_inner).send(());
            loop {
                std::thread::park();
            }
        }
        let status = if is_known { 404 } else { strangers };
        answer(status, &[("content-type", "application/json")], b"{}")
    });
    (fake, has_begun)
}

/// Creates a separate folder with the configuration and its commands.
fn configured(place: &Workplace, base_url: &str) {
    place.write_script("set-up/register.sh", "echo \"$1\" >>registered; echo '{\"id\": \"hook_7\"}'");
    place.write(
        "set-up/conformance.toml",
        &format!(
            r#"[target]
base_url = "{base_url}"
website_id = "web_1"
profile = "core"

[hooks]
listen = "127.0.0.1:0"
public_url = "http://127.0.0.1:{{port}}"
register = ["./register.sh", "{{url}}"]
remove = ["sh", "-c", "echo \"$CONTENTGEN_HOOK_ID\" >>removed"]
"#
        ),
    );
}

/// Interrupts a run that waits for a response. Returns its exit code with its output, and the folder.
fn interrupted(strangers: u16, signal: &str) -> (crate::support::cli::Ended, Workplace) {
    let (fake, has_begun) = stuck(strangers);
    let place = Workplace::new();
    configured(&place, &fake.base_url);
    let mut command = place.command(&[
        "run",
        "--config",
        "set-up/conformance.toml",
        "--report-dir",
        "r",
        "--no-progress",
        "--jobs",
        "1",
        "--only",
        "auth.wrong-key.refused",
        "--only",
        "generate.documented",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    has_begun.recv_timeout(PATIENCE).unwrap();
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    (ended(&child.wait_with_output().unwrap()), place)
}

#[test]
fn what_was_registered_is_removed_and_what_was_decided_is_reported() {
    for signal in ["-INT", "-TERM"] {
        let (ended, place) = interrupted(401, signal);
        assert_eq!(ended.code, 130, "{signal}: {}", ended.errors);
        assert_eq!(place.read("set-up/registered").lines().count(), 1, "{signal}");
        assert_eq!(place.read("set-up/removed"), "hook_7\n", "{signal}");
        let report = place.json("r/report.json");
        let rows = report["requirements"].as_array().unwrap();
        let outcome = |id: &str| {
            let row = rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("{id} in {rows:#?}"));
            format!("{}: {}", row["status"].as_str().unwrap(), row["reason"].as_str().unwrap_or_default())
        };
        assert_eq!(outcome("auth.wrong-key.refused"), "passed: ", "{signal}");
        let cut = "inconclusive: the run was interrupted while it ran";
        assert_eq!(outcome("generate.documented.accepted"), cut, "{signal}");
        let never = "skipped: the run was interrupted before its turn";
        assert_eq!(outcome("generate.documented.at-once"), never, "{signal}");
        assert!(ended.errors.contains("interrupted: removing the registered endpoints"), "{signal}: {}", ended.errors);
    }
}

#[test]
fn a_failure_that_was_found_before_outweighs_the_interrupt() {
    let (ended, place) = interrupted(200, "-INT");
    let failed = &place.json("r/report.json")["summary"]["failed"];
    assert_eq!((ended.code, failed.as_u64()), (1, Some(1)), "{}", ended.output);
}

/// Creates a saved failure whose request never gets a response.
fn saved(place: &Workplace, base_url: &str) {
    let failure = serde_json::json!({
        "format": 1, "suite_version": "0.1.0", "profile": "core", "seed": 1, "case_index": 0,
        "requirement": "generate.documented.accepted", "shown_by": "generate.documented.accepted",
        "case": { "topic": "Raised beds", "website_id": "{website_id}" },
        "target": { "base_url": base_url, "website_id": "web_1", "flag": "--config set-up/conformance.toml" },
        "expected": "an HTTP response", "observed": "none",
    });
    place.write("saved.json", &failure.to_string());
}

#[test]
fn a_replay_says_what_it_does_and_ends_by_a_signal() {
    let (fake, has_begun) = stuck(401);
    let place = Workplace::new();
    configured(&place, &fake.base_url);
    saved(&place, &fake.base_url);
    let mut command = place.command(&["replay", "saved.json", "--config", "set-up/conformance.toml"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    has_begun.recv_timeout(PATIENCE).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = ended(&child.wait_with_output().unwrap());
    assert_eq!(ended.code, 130, "{}{}", ended.output, ended.errors);
    assert_eq!(place.read("set-up/removed"), "hook_7\n");
    assert!(ended.errors.contains("Starting") && ended.errors.contains("interrupted"), "{}", ended.errors);
    assert!(ended.output.contains("could not be decided: the run was interrupted"), "{}", ended.output);
}

#[test]
fn a_replay_ends_by_itself_when_its_time_is_up() {
    let (fake, _has_begun) = stuck(401);
    let place = Workplace::new();
    configured(&place, &fake.base_url);
    saved(&place, &fake.base_url);
    let ended = place.run(&["replay", "saved.json", "--config", "set-up/conformance.toml", "--max-time", "8s"]);
    assert_eq!(ended.code, 4, "{}{}", ended.output, ended.errors);
    assert!(ended.output.contains("the time limit (--max-time) was reached"), "{}", ended.output);
    assert_eq!(place.read("set-up/removed"), "hook_7\n");
}
