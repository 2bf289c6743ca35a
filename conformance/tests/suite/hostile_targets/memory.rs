//! A hostile target cannot make the suite's memory grow without a bound.

use std::process::{Command, Stdio};

use super::listener::Hostile;
use crate::support::waiting::until;

/// Far above the memory of a normal run, far below the size of all responses together.
const MOST_KILOBYTES: u64 = 1_000_000;

/// Returns the peak memory of a process in kilobytes, if the system reports it.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn run_against(headers: &str, body: Vec<u8>) -> u64 {
    let headers = headers.to_owned();
    let length = body.len() as u64;
    let hostile = Hostile::start(move |connection| {
        while connection.read_request() {
            let head = format!(
                "HTTP/1.1 200 OK\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            if !connection.write(head.as_bytes()) || !connection.write(&body) {
                return;
            }
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_contentgen-conformance"))
        .args(["run", "--base-url", &hostile.base_url, "--report-dir", "reports", "--seed", "3"])
        .args(["--cases", "16", "--max-time", "6s", "--no-progress"])
        .env("CONTENTGEN_API_KEY", "cg_live_0123456789abcdef")
        .env("CONTENTGEN_WEBSITE_ID", "web_1")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = until("the end of the run", || {
        most = most.max(peak(child.id()).unwrap_or(0));
        child.try_wait().unwrap()
    });
    // On a busy machine the run may end without a failure, or even before the first questions are done.
    assert!(matches!(status.code(), Some(0 | 1 | 3 | 4)), "{status}");
    assert!(hostile.most_written() >= length, "no answer was read to its end");
    most
}

#[test]
fn answers_of_megabytes_are_not_kept() {
    // Just below the maximum body size: an article, and as many values as fit.
    let text = format!(r#"{{"job_id":"{}","status":"queued","items":[]}}"#, "x".repeat(7 << 20)).into_bytes();
    let values = format!(r#"{{"job_id":"j","items":[{}0]}}"#, "0,".repeat(3 << 20)).into_bytes();
    for body in [text, values] {
        let most = run_against("", body);
        println!("{most} kB");
        assert!(most < MOST_KILOBYTES, "{most} kB");
    }
}

#[test]
fn headers_of_hundreds_of_kilobytes_are_not_kept() {
    // Just below the size of headers that the HTTP client accepts.
    let headers = ["a", "b", "c", "d", "e", "f"].map(|name| format!("x-{name}: {}\r\n", "h".repeat(50_000))).concat();
    let most = run_against(&headers, br#"{"job_id":"job_1","status":"queued","items":[]}"#.to_vec());
    println!("{most} kB");
    assert!(most < MOST_KILOBYTES / 4, "{most} kB");
}
