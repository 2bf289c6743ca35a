//! How a server process is started: its options, and what its failpoints are to do. The process is in `server`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Pauses between the attempts to deliver a hook: the most that are allowed, so that kills do not use them up.
const PAUSES: [&str; 20] = [
    "100ms", "200ms", "300ms", "400ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms",
    "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms",
];
/// Longer than a busy machine takes to claim, send and record one piece of work. When a lease ends before the work is recorded, the work is
/// done twice although nobody interrupted it.
const LEASE: Duration = Duration::from_secs(10);
/// So short that others go on between two kills.
const SHORT_LEASE: Duration = Duration::from_millis(1500);
/// A lease that no stall of the machine outlasts.
const LONG_LEASE: Duration = Duration::from_secs(30);
/// A quota that no load reaches.
const LIFTED: [&str; 3] = ["generate=1000000/1s", "api=1000000/1s", "capture=1000000/1s"];

/// Attempts that follow a first one, as often as the schedule says.
pub(super) fn retries() -> usize {
    PAUSES.len()
}

/// What a scenario changes about the server.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    /// Where it ends itself: `job-after-claim:2`.
    pub(super) stop_at: Option<String>,
    /// How long writing an article takes at least, in milliseconds.
    pub(super) work: String,
    /// How long a commit waits before and after it is made, in milliseconds: kills fall between promise, disk and answer.
    pub(super) commit: Option<String>,
    /// How long a claim holds.
    pub(super) lease: Duration,
    /// How often a job's claim is renewed; six times in a lease unless given.
    pub(super) renewal: Option<Duration>,
    /// How its wall clock jumps.
    pub(super) clock: Option<String>,
    /// Articles written at the same time.
    pub(super) concurrency: u16,
    /// Whether articles may be published as files.
    pub(super) publishes_files: bool,
    /// Whether a file that is too long is an error instead of the end.
    pub(super) survives_full_disk: bool,
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            stop_at: None,
            work: "5..45".to_owned(),
            commit: None,
            lease: LEASE,
            renewal: None,
            clock: None,
            concurrency: 8,
            publishes_files: false,
            survives_full_disk: false,
        }
    }
}

impl Launch {
    /// A server that takes its time to commit, so that kills fall into that time.
    pub(super) fn slow_to_commit() -> Self {
        Self { commit: Some("0..12".to_owned()), ..Self::default() }
    }

    /// The same where one process after the other is killed. Each kill raises the number of repeats that are allowed, and a stall uses few of them.
    pub(super) fn often_killed(self) -> Self {
        Self { lease: SHORT_LEASE, ..self }
    }

    /// The same where nobody crashes: no lease has to end for others to go on, and none may, because what was claimed would then be
    /// done twice although nothing interrupted it.
    pub(super) fn undisturbed(self) -> Self {
        Self { lease: LONG_LEASE, ..self }
    }

    /// Where files are published, of a scenario in `folder`.
    pub(super) fn publish_root(folder: &Path) -> PathBuf {
        folder.join("published")
    }

    /// The options behind `serve`, of a process at `address` of a scenario in `folder`.
    pub(super) fn options(&self, address: SocketAddr, folder: &Path) -> Vec<String> {
        let address = address.to_string();
        let mut options: Vec<String> =
            ["serve", "--listen", &address, "--public-url", &format!("http://{address}")].map(str::to_owned).to_vec();
        let mut add = |name: &str, value: &str| options.extend([name.to_owned(), value.to_owned()]);
        add("--roles", "api,worker");
        add("--concurrency", &self.concurrency.to_string());
        add("--queue-per-website", "1000000");
        add("--queue-per-account", "1000000");
        add("--hook-retry-schedule", &PAUSES.join(","));
        if self.publishes_files {
            add("--publish-root", &Self::publish_root(folder).display().to_string());
        }
        for quota in LIFTED {
            add("--quota", quota);
        }
        options.push("--allow-loopback-hooks".to_owned());
        options
    }

    /// The environment of its failpoints.
    pub(super) fn environment(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("CONTENTGEN_FAILPOINT_WORK_MS", self.work.clone()),
            ("CONTENTGEN_FAILPOINT_LEASE_MS", self.lease.as_millis().to_string()),
        ];
        variables.extend(self.commit.clone().map(|times| ("CONTENTGEN_FAILPOINT_COMMIT_MS", times)));
        variables.extend(self.stop_at.clone().map(|point| ("CONTENTGEN_FAILPOINT", point)));
        let renewal = self.renewal.map(|pause| pause.as_millis().to_string());
        variables.extend(renewal.map(|millis| ("CONTENTGEN_FAILPOINT_RENEWAL_MS", millis)));
        variables.extend(self.clock.clone().map(|jumps| ("CONTENTGEN_FAILPOINT_CLOCK", jumps)));
        variables
    }
}
