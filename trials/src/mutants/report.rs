//! The report: which changes the suite found, and which not.

use std::fmt::Write as _;

use super::trial::Verdict;

/// A change and the verdict of the suite.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    /// Place and change.
    pub(super) name: String,
    pub(super) verdict: Verdict,
}

impl Row {
    fn is_found(&self) -> bool {
        matches!(self.verdict, Verdict::Found(_))
    }

    /// Returns true if the suite neither failed nor stopped.
    fn has_passed(&self) -> bool {
        matches!(self.verdict, Verdict::Passed { .. })
    }
}

/// Returns one line with the figures.
pub(super) fn summary(rows: &[Row]) -> String {
    let count = |belongs: fn(&Row) -> bool| rows.iter().filter(|row| belongs(row)).count();
    let (found, passed) = (count(Row::is_found), count(Row::has_passed));
    let unreached = count(|row| row.verdict == Verdict::NotReached);
    let stopped = rows.len() - found - passed - unreached;
    format!(
        "{} changes: {found} found, {passed} passed, {stopped} without a verdict, {unreached} not reached",
        rows.len()
    )
}

/// A title, and the rows below it.
type Section = (&'static str, fn(&Row) -> bool);

/// Returns the report in Markdown.
pub(super) fn written(rows: &[Row], seed: u64, cases: u32, total: usize) -> String {
    let mut text = format!(
        "# Changes of the server, seed {seed}, {cases} cases\n\nChosen at random from {total}. {}.\n",
        summary(rows)
    );
    let sections: [Section; 4] = [
        ("Passed", Row::has_passed),
        ("Found", Row::is_found),
        ("Without a verdict", |row| matches!(row.verdict, Verdict::SetUp(_) | Verdict::Crashed(_))),
        ("Not reached", |row| row.verdict == Verdict::NotReached),
    ];
    for (title, belongs) in sections {
        let _infallible = writeln!(text, "\n## {title}\n");
        for row in rows.iter().filter(|row| belongs(row)) {
            let _infallible = writeln!(text, "- {}: `{}`{}", row.number, row.name, said(&row.verdict));
        }
    }
    text
}

/// Returns the rest of a row.
fn said(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Found(ids) => format!(", found by {}", ids.join(", ")),
        Verdict::SetUp(message) | Verdict::Crashed(message) => format!(": {message}"),
        Verdict::NotReached => String::new(),
        Verdict::Passed { undecided } if undecided.is_empty() => String::new(),
        Verdict::Passed { undecided } => format!(", not decided: {}", undecided.join(", ")),
    }
}
