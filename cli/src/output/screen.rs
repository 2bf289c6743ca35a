//! Standard output for results, and for nothing else; standard error for notes and errors.

use std::io::{IsTerminal as _, Write as _};

use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::text;

/// How to talk to whoever typed the command, or to the program that did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// Whether a program reads.
    pub(crate) is_json: bool,
    is_quiet: bool,
}

impl Screen {
    /// JSON or words, with or without notes.
    pub(crate) fn new(is_json: bool, is_quiet: bool) -> Self {
        Self { is_json, is_quiet }
    }

    /// Prints a result: words for people, or the JSON of the same.
    pub(crate) fn result(self, words: impl FnOnce() -> String, value: &Value) -> Result<(), Failure> {
        if self.is_json { print(&text::document(value)) } else { print(&words()) }
    }

    /// Notes something beside the result: words for people, `{"name": value}` for programs.
    pub(crate) fn note(self, words: &str, name: &str, value: &Value) {
        if self.is_json && !self.is_quiet {
            tell(&text::line(&json!({ name: value })));
        }
        self.mention(words);
    }

    /// Notes something that only people want to know.
    pub(crate) fn mention(self, words: &str) {
        if !self.is_json && !self.is_quiet {
            tell(&format!("{}\n", text::on_one_line(words)));
        }
    }

    /// Tells of a failure, unless nobody reads any more.
    pub(crate) fn complain(self, failure: &Failure) {
        if failure.exit == Exit::Done {
            return;
        }
        tell(&if self.is_json { text::line(&failure.json()) } else { failure.words() });
    }

    /// Whether somebody watches: progress is for a terminal, and gets into the way of everything else.
    pub(super) fn is_watched(self) -> bool {
        !self.is_json && !self.is_quiet && std::io::stderr().is_terminal()
    }
}

/// Prints text that is fit for a terminal, at once.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::nobody_reads()),
        Err(error) => Err(Failure::new(Exit::Failed, format!("standard output cannot be written: {error}"))),
    }
}

/// Writes to standard error.
fn tell(text: &str) {
    // Nothing is left to do when even this cannot be written.
    let _written = std::io::stderr().lock().write_all(text.as_bytes());
}
