//! Runs a command of the configuration.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::Semaphore;

use super::placeholder::{Placeholder, filled};

/// Time limit of one command, and maximum number of bytes of its output.
const LIMIT: Duration = Duration::from_secs(30);
const MAX_OUTPUT: u64 = 64 * 1024;
/// Time for which output is read after a command has ended.
const DRAIN: Duration = Duration::from_millis(200);

/// Maximum number of parallel commands: each may start a program that connects to the target's database.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Runs the command in `folder` with its values in arguments and environment, and returns its output. Waits for a free
/// slot first. The error is one clause.
pub(super) async fn execute(
    folder: &Path,
    command: &[String],
    values: &[(&Placeholder, &str)],
) -> Result<String, String> {
    let [program, arguments @ ..] = command else {
        return Err("the command is empty".to_owned());
    };
    for (placeholder, value) in values {
        placeholder.check(value)?;
    }
    let is_path = Path::new(program).components().count() > 1;
    let found = if is_path { folder.join(program) } else { PathBuf::from(program) };
    let mut process = Command::new(found);
    process
        .current_dir(folder)
        .args(arguments.iter().map(|argument| filled(argument, values)))
        .envs(values.iter().map(|(placeholder, value)| (placeholder.variable, value)))
        .stdin(Stdio::null())
        .kill_on_drop(true);
    process.stdout(Stdio::piped()).stderr(Stdio::piped());
    // The semaphore is never closed.
    let _turn = AT_ONCE.acquire().await;
    let mut child = process.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (mut printed, mut complaint) = (Vec::new(), Vec::new());
    let ended = async {
        let reading = async {
            tokio::join!(read(stdout, false, &mut printed), read(stderr, true, &mut complaint));
            is_flood(&printed)
        };
        tokio::pin!(reading);
        tokio::select! {
            has_flooded = &mut reading => {
                // An oversized output is no longer read, and the resulting error of the command does not matter.
                // Otherwise the command has closed its output, as every program does before it ends, and its exit
                // status follows.
                if has_flooded {
                    let _ = child.start_kill();
                }
                child.wait().await
            }
            status = child.wait() => {
                // A child process may keep its output open, and may continue to run.
                let _ = tokio::time::timeout(DRAIN, reading).await;
                status
            }
        }
    };
    let status = tokio::time::timeout(LIMIT, ended)
        .await
        .map_err(|_| format!("`{program}` took longer than {} s", LIMIT.as_secs()))?;
    let status = status.map_err(|error| format!("waiting for `{program}` failed: {error}"))?;
    if is_flood(&printed) {
        return Err(format!("`{program}` printed more than {} KiB", MAX_OUTPUT / 1024));
    }
    if !status.success() {
        let complaint = String::from_utf8_lossy(&complaint);
        let first = complaint.lines().next().unwrap_or("no message");
        return Err(format!("`{program}` ended with {status}: {first}"));
    }
    Ok(String::from_utf8_lossy(&printed).into_owned())
}

fn is_flood(printed: &[u8]) -> bool {
    printed.len() as u64 > MAX_OUTPUT
}

/// Reads from a pipe, at most one byte beyond the limit. With `drains`, reads and drops the rest.
async fn read(pipe: Option<impl AsyncRead + Unpin>, drains: bool, bytes: &mut Vec<u8>) {
    if let Some(pipe) = pipe {
        let mut beginning = pipe.take(MAX_OUTPUT + 1);
        // A broken pipe has delivered all of its data.
        let _ = beginning.read_to_end(bytes).await;
        if drains {
            let _ = tokio::io::copy(&mut beginning.into_inner(), &mut tokio::io::sink()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::placeholder::{EVENT_ID, HOOK_ID};

    #[tokio::test]
    async fn a_command_with_a_refused_value_is_not_run() {
        let folder = tempfile::tempdir().unwrap();
        let command = ["touch", "{event}", "ran"].map(str::to_owned);
        let refused = execute(folder.path(), &command, &[(&EVENT_ID, "evt_1"), (&HOOK_ID, "7; true")]).await;
        assert!(refused.unwrap_err().contains("the value for {id}, `7; true`"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_command_has_its_values_in_its_environment_too() {
        let command = ["sh", "-c", "printf %s \"$CONTENTGEN_HOOK_ID $CONTENTGEN_EVENT_ID\""].map(str::to_owned);
        let printed = execute(Path::new("."), &command, &[(&HOOK_ID, "7"), (&EVENT_ID, "evt_1")]).await;
        assert_eq!(printed.as_deref(), Ok("7 evt_1"));
    }

    /// Creates a folder with a pipe. Opening one end waits until the other end is opened, too.
    #[cfg(unix)]
    fn with_pipe() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
        assert!(made.unwrap().success());
        folder
    }

    /// Opens the pipe for writing and closes it again, which unblocks a reader.
    #[cfg(unix)]
    fn release(folder: &Path) {
        drop(std::fs::OpenOptions::new().write(true).open(folder.join("pipe")).unwrap());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_command_has_ended_though_what_it_started_goes_on() {
        let folder = with_pipe();
        let command = ["sh", "-c", "cat pipe & echo whsec_7"].map(str::to_owned);
        assert_eq!(execute(folder.path(), &command, &[]).await.as_deref(), Ok("whsec_7\n"));
        release(folder.path());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_command_that_closes_its_output_ends_by_itself() {
        for (status, expected) in
            [(0, Ok("whsec_7\n".to_owned())), (3, Err("`sh` ended with exit status: 3: no message".to_owned()))]
        {
            let folder = with_pipe();
            let place = folder.path().to_owned();
            let releasing = std::thread::spawn(move || release(&place));
            let script = format!("echo whsec_7; exec >&- 2>&-; read line < pipe; exit {status}");
            let command = ["sh", "-c", &script].map(str::to_owned);
            assert_eq!(execute(folder.path(), &command, &[]).await, expected);
            releasing.join().unwrap();
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_flood_is_not_read_to_its_end() {
        // This output is endless: reading on would end at the time limit, with another message.
        let command = ["yes", "whsec_7"].map(str::to_owned);
        let refused = execute(Path::new("."), &command, &[]).await;
        assert_eq!(refused, Err("`yes` printed more than 64 KiB".to_owned()));
    }
}
