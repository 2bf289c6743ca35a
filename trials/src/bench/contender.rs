//! Measures one program that sends requests to a server: number of responses, duration, and memory.

use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use crate::fleet::Member;

/// Interval at which the program's memory is read.
const LOOK: Duration = Duration::from_millis(50);

/// Measurements of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Number of requests that the server responded to.
    pub(super) exchanges: u64,
    pub(super) seconds: f64,
    /// Peak resident memory in MiB, without child processes; 0 if unknown.
    pub(super) mebibytes: u64,
}

impl Seen {
    /// Returns the number of requests per second.
    pub(super) fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "there are fewer than 2^52 exchanges")]
        let exchanges = self.exchanges as f64;
        exchanges / self.seconds
    }
}

/// Runs `command` against `member` to its end, whatever its exit status, and prints the measurements.
pub(super) async fn watch(name: &str, mut command: Command, member: &Member) -> Result<Seen> {
    let before = answered(member).await?;
    let began = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("{name} cannot be run"))?;
    let process = child.id();
    let mut mebibytes = 0;
    let status = loop {
        mebibytes = mebibytes.max(process.and_then(peak).unwrap_or_default());
        if let Some(status) = child.try_wait()? {
            break status;
        }
        sleep(LOOK).await;
    };
    let seconds = began.elapsed().as_secs_f64();
    let seen = Seen { exchanges: answered(member).await? - before, seconds, mebibytes };
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{name}: {} exchanges in {seconds:.1} s, {:.0}/s, {mebibytes} MiB, {status}",
        seen.exchanges,
        seen.rate()
    )?;
    Ok(seen)
}

/// Returns the peak memory of a process, in MiB.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}

/// Returns the number of requests that the server has responded to, by its own count.
async fn answered(member: &Member) -> Result<u64> {
    let url = member.ready["metrics_url"].as_str().context("the ready file has no `metrics_url`")?;
    let text = reqwest::get(url).await?.error_for_status()?.text().await?;
    let counts = text.lines().filter(|line| line.starts_with("contentgen_http_requests_total"));
    let counts = counts.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of requests")]
    let sum = counts.sum::<f64>() as u64;
    Ok(sum)
}
