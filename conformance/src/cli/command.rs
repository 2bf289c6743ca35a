//! Running a command that the configuration names.
//!
//! What its output means is said where it is run.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::sync::Semaphore;

/// Longest time for one command, and most bytes of its output that are read.
const LIMIT: Duration = Duration::from_secs(30);
const MAX_OUTPUT: u64 = 64 * 1024;
/// Most bytes of what a target gave out in an argument.
const MAX_ARGUMENT: usize = 8 * 1024;
/// How long output is read after a command has ended.
const DRAIN: Duration = Duration::from_millis(200);

/// Commands at a time: each may start a program that connects to the target's database.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// What the command prints, run in `folder` with its places filled in, after its turn has come; the error is one clause.
pub(super) async fn execute(folder: &Path, command: &[String], places: &[(&str, &str)]) -> Result<String, String> {
    let [program, arguments @ ..] = command else {
        return Err("the command is empty".to_owned());
    };
    for (place, value) in places {
        check_argument(place, value)?;
    }
    let is_path = Path::new(program).components().count() > 1;
    let found = if is_path { folder.join(program) } else { PathBuf::from(program) };
    let mut process = Command::new(found);
    process
        .current_dir(folder)
        .args(arguments.iter().map(|argument| filled(argument, places)))
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
                // A flood is no longer read, and what the command fails with then is no news. Without one it has closed its
                // output, as every program does before it ends, and how it ends is still to come.
                if has_flooded {
                    let _ = child.start_kill();
                }
                child.wait().await
            }
            status = child.wait() => {
                // What it has started may hold its output open, and may go on.
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

/// An argument with its places filled in. What stands in a value is not filled in again.
fn filled(argument: &str, places: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = argument;
    while let Some(letter) = rest.chars().next() {
        if let Some((place, value)) = places.iter().find(|(place, _)| rest.starts_with(place)) {
            text.push_str(value);
            rest = &rest[place.len()..];
        } else {
            text.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    text
}

/// Refuses what a target gave out and a command could take for something else than a value.
fn check_argument(place: &str, value: &str) -> Result<(), String> {
    if value.starts_with('-') || value.chars().any(char::is_control) || value.len() > MAX_ARGUMENT {
        return Err(format!(
            "the value for {place} begins with `-`, has control characters, or is longer than {MAX_ARGUMENT} bytes: the command \
             was not run"
        ));
    }
    Ok(())
}

/// Adds what comes out of a pipe, one byte beyond the limit at most. The rest is read too where that is no reason to end the command.
async fn read(pipe: Option<impl AsyncRead + Unpin>, drains: bool, bytes: &mut Vec<u8>) {
    if let Some(pipe) = pipe {
        let mut beginning = pipe.take(MAX_OUTPUT + 1);
        // A pipe that breaks has given what it had.
        let _ = beginning.read_to_end(bytes).await;
        if drains {
            let _ = tokio::io::copy(&mut beginning.into_inner(), &mut tokio::io::sink()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_filled_in_once() {
        let places = [("{id}", "7{event}"), ("{event}", "evt_1")];
        assert_eq!(filled("--id={id}/{event}", &places), "--id=7{event}/evt_1");
    }

    #[tokio::test]
    async fn what_a_command_would_take_for_something_else_is_no_value() {
        let long = "x".repeat(MAX_ARGUMENT + 1);
        for value in ["--help", "-", "a\nb", "\u{1b}[2J", &long] {
            let refused = execute(Path::new("."), &["echo".to_owned(), "{id}".to_owned()], &[("{id}", value)]).await;
            assert!(refused.unwrap_err().contains("{id}"));
        }
    }

    /// Makes a folder with a pipe in it. Opening one end waits until the other end is opened, too.
    #[cfg(unix)]
    fn with_pipe() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
        assert!(made.unwrap().success());
        folder
    }

    /// Opens the pipe for writing and closes it again, which lets a reader go on.
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
        // It has no end: reading on would end at the limit of time, with another message.
        let command = ["yes", "whsec_7"].map(str::to_owned);
        let refused = execute(Path::new("."), &command, &[]).await;
        assert_eq!(refused, Err("`yes` printed more than 64 KiB".to_owned()));
    }
}
