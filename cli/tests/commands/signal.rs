//! A program that runs until it gets a signal.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use super::until::GIVE_UP_AFTER;

/// A running program, and the lines that it prints.
pub(crate) struct Started {
    child: Child,
    output: Receiver<String>,
    error: Receiver<String>,
}

impl Started {
    pub(crate) fn new(mut command: Command) -> Self {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program can be run");
        let output = lines(child.stdout.take().expect("standard output is piped"));
        let error = lines(child.stderr.take().expect("standard error is piped"));
        Self { child, output, error }
    }

    /// Returns the next line on standard output.
    #[track_caller]
    pub(crate) fn output(&self) -> String {
        self.output.recv_timeout(GIVE_UP_AFTER).expect("a line on standard output")
    }

    /// Returns the next line on standard error.
    #[track_caller]
    pub(crate) fn error(&self) -> String {
        self.error.recv_timeout(GIVE_UP_AFTER).expect("a line on standard error")
    }

    /// Sends the signal of Ctrl-C.
    pub(crate) fn interrupt(&self) {
        self.signal("-INT");
    }

    /// Sends the termination signal, as a supervisor does.
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    fn signal(&self, name: &str) {
        let killed =
            Command::new("kill").arg(name).arg(self.child.id().to_string()).status().expect("there is a kill command");
        assert!(killed.success());
    }

    /// Waits for the end. Returns the exit code and the remaining lines of standard output and standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String, String) {
        let rest = |lines: &Receiver<String>| lines.iter().map(|line| line + "\n").collect::<String>();
        let (output, error) = (rest(&self.output), rest(&self.error));
        (self.child.wait().expect("the program ends").code(), output, error)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _ended = self.child.wait();
    }
}

fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    lines
}
