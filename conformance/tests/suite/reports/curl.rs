//! A curl line sends the suite's request byte for byte, with its keys from the environment.

use std::process::Command;

use serde_json::Value;

use crate::support::cli::{KEY, Workplace};
use crate::support::{Fake, Seen, answer};

/// Lines to try. Each starts a shell and curl.
const TRIED: usize = 60;

fn same(sent: &Seen, repeated: &Seen) -> bool {
    let authorizations = |seen: &Seen| -> Vec<String> {
        let is_key = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("authorization");
        seen.headers.iter().filter(is_key).map(|(_, value)| value.clone()).collect()
    };
    let media_type = |seen: &Seen| seen.header("content-type").map(ToOwned::to_owned);
    let key = |seen: &Seen| seen.header("idempotency-key").map(ToOwned::to_owned);
    sent.method == repeated.method
        && sent.path == repeated.path
        && sent.body == repeated.body
        && authorizations(sent) == authorizations(repeated)
        && media_type(sent) == media_type(repeated)
        && key(sent) == key(repeated)
}

fn has_curl() -> bool {
    Command::new("curl").arg("--version").output().is_ok()
}

/// Sends the line's request from a shell and compares it with the original request.
fn check(line: &str, fake: &Fake, sent: &[Seen]) {
    assert!(!line.contains(&KEY[..16]), "{line}");
    fake.seen.lock().unwrap().clear();
    let line = format!("{line} --silent --max-time 5");
    let output = Command::new("sh").args(["-c", &line]).env("CONTENTGEN_API_KEY", KEY).output().unwrap();
    let repeated = fake.seen.lock().unwrap().pop();
    let repeated = repeated.unwrap_or_else(|| panic!("{line}: {}", String::from_utf8_lossy(&output.stderr)));
    assert!(sent.iter().any(|sent| same(sent, &repeated)), "{line} sent {repeated:?}");
}

/// Returns the curl lines of every failing exchange in a report.
fn lines(report: &Value) -> Vec<String> {
    let rows = report["requirements"].as_array().unwrap().iter();
    let exchanges = rows.flat_map(|row| row["failure"]["exchanges"].as_array().cloned().unwrap_or_default());
    let mut lines: Vec<String> = exchanges.map(|exchange| exchange["curl"].as_str().unwrap().to_owned()).collect();
    lines.sort();
    lines.dedup();
    lines
}

#[test]
fn curl_lines_repeat_what_was_sent_with_the_key_from_the_environment() {
    if !has_curl() {
        println!("skipped: there is no curl on this machine");
        return;
    }
    let fake = Fake::constant(200, "{}");
    let place = Workplace::new();
    let only = ["--only", "auth", "--only", "generate", "--only", "pages"];
    let base = ["run", "--base-url", &fake.base_url, "--seed", "11", "--cases", "6", "--report-dir", "r"];
    place.run(&[&base[..], &only].concat());
    let sent: Vec<Seen> = std::mem::take(&mut *fake.seen.lock().unwrap());
    let lines = lines(&place.json("r/report.json"));
    assert!(lines.iter().any(|line| line.contains("base64 -d")), "bytes that are no text are among them");
    assert!(lines.iter().any(|line| line.contains("--data-raw")), "texts are among them");
    let step = (lines.len() / TRIED).max(1);
    let special = lines.iter().filter(|line| line.contains("base64 -d"));
    for line in lines.iter().step_by(step).chain(special) {
        check(line, &fake, &sent);
    }
}

#[test]
fn a_changed_key_is_made_from_the_right_one_by_the_shell() {
    type Takes = fn(&str) -> bool;
    let cut: Takes = |key| key.len() < KEY.len() && key.len() > 20 && KEY.starts_with(key);
    let swapped: Takes = |key| key != KEY && key.eq_ignore_ascii_case(KEY);
    for (takes, form) in [(cut, "%?}"), (swapped, "tr 'A-Za-z'")] {
        let fake = Fake::start(move |seen| {
            let key = seen.header("authorization").unwrap_or_default().trim_start_matches("Bearer ").to_owned();
            let status = if key == KEY {
                404
            } else if takes(&key) {
                200
            } else {
                401
            };
            answer(status, &[], b"{}")
        });
        let place = Workplace::new();
        let only = ["--only", "auth.wrong-key.refused", "--cases", "200"];
        place.run(&[&["run", "--base-url", &fake.base_url, "--report-dir", "r"], &only[..]].concat());
        let sent: Vec<Seen> = std::mem::take(&mut *fake.seen.lock().unwrap());
        let lines = lines(&place.json("r/report.json"));
        assert!(lines.iter().any(|line| line.contains(form)), "{form} in {lines:?}");
        if !has_curl() {
            println!("not sent: there is no curl on this machine");
            continue;
        }
        for line in &lines {
            check(line, &fake, &sent);
        }
    }
}
