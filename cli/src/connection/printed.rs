//! Secrets printed by another program, such as that of a keyring.

use std::io::{self, IsTerminal as _, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Maximum size of a printed secret in bytes.
const MOST_SECRET_BYTES: usize = 4096;
/// Time limit of a program: the user may have to unlock a keyring.
const LONGEST_UNLOCKING: Duration = Duration::from_secs(2 * 60);
/// Time limit for reading the output of an ended program while another process holds it open.
const LONGEST_DRAINING: Duration = Duration::from_secs(1);
/// Poll interval for a program that prints nothing.
const PAUSE: Duration = Duration::from_millis(10);

/// Returns the standard output of a program, or the reason of a failure. The program may prompt the user on the terminal.
pub(super) fn printed_by(words: &[String]) -> Result<String, String> {
    let [program, arguments @ ..] = words else {
        return Err("is missing: the list is empty".to_owned());
    };
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped());
    let mut program = Program::start(&mut command).map_err(|error| format!("cannot be started: {error}"))?;
    let outcome = program.run();
    if outcome.is_err() {
        program.kill();
    }
    let (status, text) = outcome.map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("ended with {status}"));
    }
    let text = String::from_utf8(text).map_err(|_| "printed something that is not valid UTF-8".to_owned())?;
    let text = text.trim();
    if text.is_empty() { Err("printed nothing".to_owned()) } else { Ok(text.to_owned()) }
}

/// A running program.
struct Program {
    child: Child,
    /// Its output, open until the program and all other holders of its standard output have closed it.
    output: Receiver<io::Result<Vec<u8>>>,
    /// True if it leads a separate process group, which includes its children.
    leads_a_group: bool,
}

impl Program {
    fn start(command: &mut Command) -> io::Result<Self> {
        // A separate group could not prompt the user on the terminal, and Ctrl-C would not reach it.
        let is_watched = io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
        let leads_a_group = cfg!(unix) && !is_watched;
        #[cfg(unix)]
        if leads_a_group {
            std::os::unix::process::CommandExt::process_group(command, 0);
        }
        let mut child = command.spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("has no output"))?;
        Ok(Self { child, output: pieces(output), leads_a_group })
    }

    /// Reads its output until it ends, takes too long, or prints too much. Its children may hold the output open for longer.
    fn run(&mut self) -> io::Result<(ExitStatus, Vec<u8>)> {
        let mut end = Instant::now() + LONGEST_UNLOCKING;
        let mut text = Vec::new();
        let mut ended = None;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match (self.output.recv_timeout(if ended.is_some() { left } else { left.min(PAUSE) }), ended) {
                (Ok(piece), _) => text.extend(piece?),
                (Err(_no_more), Some(status)) => return Ok((status, text)),
                (Err(RecvTimeoutError::Disconnected), None) => std::thread::sleep(left.min(PAUSE)),
                (Err(RecvTimeoutError::Timeout), None) => {}
            }
            if text.len() > MOST_SECRET_BYTES {
                return Err(io::Error::other(format!("printed more than {MOST_SECRET_BYTES} bytes")));
            }
            if ended.is_none() {
                ended = self.child.try_wait()?;
                if ended.is_some() {
                    end = Instant::now() + LONGEST_DRAINING;
                } else if left.is_zero() {
                    return Err(io::Error::other(format!("took longer than {} s", LONGEST_UNLOCKING.as_secs())));
                }
            }
        }
    }

    /// Kills the program and, if it leads a group, its children.
    fn kill(&mut self) {
        #[cfg(unix)]
        if self.leads_a_group {
            let group = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
            // It may have ended by itself.
            let _killed = group.map(|group| rustix::process::kill_process_group(group, rustix::process::Signal::KILL));
        }
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// Reads chunks in a thread and sends them to a channel.
fn pieces(mut from: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, pieces) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        loop {
            let piece = match from.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            // After an error there are no more chunks. Sending fails once the receiver is dropped.
            let is_last = piece.is_err();
            if sender.send(piece).is_err() || is_last {
                return;
            }
        }
    });
    pieces
}
