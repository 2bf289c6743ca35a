//! Output of the commands: texts, lists for people as aligned columns with headings, and lists for programs as JSON.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::failure::{Exit, Failure};

/// Text for a missing value.
const NOTHING: &str = "-";

/// Writes to standard output. A closed reader, such as `head`, is not an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Failed, format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Returns aligned rows under their column names. Replaces control characters, because values may come from third parties.
pub(super) fn table<const COLUMNS: usize>(names: [&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let clean = |value: &String| match value.as_str() {
        "" => NOTHING.to_owned(),
        value => value.replace(char::is_control, "\u{fffd}"),
    };
    let mut lines = vec![names.map(str::to_owned)];
    lines.extend(rows.iter().map(|row| row.each_ref().map(clean)));
    let widths: [usize; COLUMNS] =
        std::array::from_fn(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default());
    let mut text = String::new();
    for line in &lines {
        let mut row = String::new();
        for (value, width) in line.iter().zip(widths) {
            let _ = write!(row, "{value:width$}  ");
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Returns one object per line.
pub(super) fn json_lines(objects: impl IntoIterator<Item = serde_json::Value>) -> String {
    let mut lines = String::new();
    for object in objects {
        let _ = writeln!(lines, "{object}");
    }
    lines
}

/// Returns the text of a value; empty if it is missing.
pub(super) fn text_or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_nothing_in_them_moves_the_cursor() {
        let rows = [["a".to_owned(), String::new()], ["long\u{1b}[2J".to_owned(), "x\ny".to_owned()]];
        assert_eq!(table(["id", "note"], &rows), "id        note\na         -\nlong\u{fffd}[2J  x\u{fffd}y\n");
    }
}
