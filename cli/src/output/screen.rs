//! Standard output only for results; standard error for notes and errors.

use std::io::{IsTerminal as _, Write as _};

use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::text;

/// Output settings for people or programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// True if the output is for a program.
    pub(crate) is_json: bool,
    /// Fields of JSON documents that are printed; all if it is empty.
    fields: &'static [String],
    is_quiet: bool,
}

impl Screen {
    /// Makes the settings: words, or JSON with these fields separated by commas; with or without notes.
    pub(crate) fn new(json: Option<&str>, is_quiet: bool) -> Self {
        let fields = json.unwrap_or_default().split(',').map(str::trim).filter(|field| !field.is_empty());
        // Made once. It lives until the program ends.
        let fields = fields.map(str::to_owned).collect::<Vec<_>>().leak();
        Self { is_json: json.is_some(), fields, is_quiet }
    }

    /// Returns true if the user named the fields to print.
    pub(crate) fn has_chosen_fields(self) -> bool {
        !self.fields.is_empty()
    }

    /// Formats the chosen fields of a document over several lines.
    pub(crate) fn document(self, value: &Value) -> String {
        text::document(&self.chosen(value))
    }

    /// Formats the chosen fields of a document on one line.
    pub(crate) fn line(self, value: &Value) -> String {
        text::line(&self.chosen(value))
    }

    /// Returns the chosen fields of a document. A field that the document lacks is null.
    fn chosen(self, value: &Value) -> Value {
        if self.fields.is_empty() {
            return value.clone();
        }
        self.fields.iter().map(|field| (field.clone(), value.get(field).cloned().unwrap_or_default())).collect()
    }

    /// Prints a result: words for people, or its JSON for programs.
    pub(crate) fn result(self, words: impl FnOnce() -> String, value: &Value) -> Result<(), Failure> {
        if self.is_json { print(&self.document(value)) } else { print(&words()) }
    }

    /// Prints a note about the result: words for people, `{"name": value}` for programs.
    pub(crate) fn note(self, words: &str, name: &str, value: &Value) {
        if self.is_json && !self.is_quiet {
            tell(&text::line(&json!({ name: value })));
        }
        self.mention(words);
    }

    /// Prints a note for people only.
    pub(crate) fn mention(self, words: &str) {
        if !self.is_json && !self.is_quiet {
            tell(&format!("{}\n", text::on_one_line(words)));
        }
    }

    /// Prints a failure, unless the reader of the output has ended.
    pub(crate) fn complain(self, failure: &Failure) {
        if failure.exit == Exit::Done {
            return;
        }
        tell(&if self.is_json { text::line(&failure.json()) } else { failure.words() });
    }

    /// Returns true if a person watches. Progress is for a terminal and would clutter any other output.
    pub(super) fn is_watched(self) -> bool {
        !self.is_json && !self.is_quiet && std::io::stderr().is_terminal()
    }
}

/// Returns the width of the terminal in columns, if standard output is one.
pub(crate) fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_rows, columns)| columns.into())
}

/// Prints terminal-safe text and flushes it.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Prints bytes and flushes them.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::nobody_reads()),
        Err(error) => Err(Failure::new(Exit::Failed, format!("standard output cannot be written: {error}"))),
    }
}

/// Writes to standard error.
fn tell(text: &str) {
    // If this write fails, there is no other place to report it.
    let _written = std::io::stderr().lock().write_all(text.as_bytes());
}
