//! Options and failpoints with which a server process is started. For the process see `server`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Pauses between the attempts to deliver a hook: the maximum number, so that kills do not use them up.
const PAUSES: [&str; 20] = [
    "100ms", "200ms", "300ms", "400ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms",
    "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms", "500ms",
];
/// Longer than a busy machine takes to claim, send and record one piece of work. If a lease ends before the work is recorded, the work is
/// done twice although nothing interrupted it.
const LEASE: Duration = Duration::from_secs(10);
/// Short enough for other processes to continue the work between two kills.
const SHORT_LEASE: Duration = Duration::from_millis(1500);
/// Longer than any stall of the machine.
const LONG_LEASE: Duration = Duration::from_secs(30);
/// Quotas that no load reaches.
const LIFTED: [&str; 3] = ["generate=1000000/1s", "api=1000000/1s", "capture=1000000/1s"];

/// Returns the number of retries in the schedule.
pub(super) fn retries() -> usize {
    PAUSES.len()
}

/// Settings of the server that a scenario changes.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    /// The failpoint at which the process ends itself, such as `job-after-claim:2`.
    pub(super) stop_at: Option<String>,
    /// Minimum duration of writing an article, in milliseconds.
    pub(super) work: String,
    /// Delay before and after a commit, in milliseconds, so that kills fall between promise, disk and response.
    pub(super) commit: Option<String>,
    /// Duration of a claim.
    pub(super) lease: Duration,
    /// Interval at which a job's claim is renewed; by default a sixth of the lease.
    pub(super) renewal: Option<Duration>,
    /// Jumps of the server's wall clock.
    pub(super) clock: Option<String>,
    /// Number of articles written at the same time.
    pub(super) concurrency: u16,
    /// True if articles may be published as files.
    pub(super) publishes_files: bool,
    /// True if writing a file that is too long returns an error instead of ending the process.
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
    /// Returns a server that commits slowly, so that kills fall into a commit.
    pub(super) fn slow_to_commit() -> Self {
        Self { commit: Some("0..12".to_owned()), ..Self::default() }
    }

    /// Adapts the launch to repeated kills. Each kill raises the number of permitted repeats, and a stall uses few of them.
    pub(super) fn often_killed(self) -> Self {
        Self { lease: SHORT_LEASE, ..self }
    }

    /// Adapts the launch to scenarios without crashes. No lease has to end for others to continue, and none may end: claimed work would be
    /// done twice although nothing interrupted it.
    pub(super) fn undisturbed(self) -> Self {
        Self { lease: LONG_LEASE, ..self }
    }

    /// Returns the folder for published files of a scenario in `folder`.
    pub(super) fn publish_root(folder: &Path) -> PathBuf {
        folder.join("published")
    }

    /// Returns the options after `serve` for a process at `address` of a scenario in `folder`.
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

    /// Returns the environment variables that configure the failpoints.
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
