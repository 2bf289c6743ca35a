//! A list as it is printed, page by page: a table for people, a document on each line for programs.

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Screen, print};
use crate::text::{Table, line};

/// The most items on a page.
const PAGE: usize = 100;

/// How many items to ask for at a time, where so many are wanted in all.
pub(super) fn page_size(limit: Option<usize>) -> u32 {
    u32::try_from(limit.unwrap_or(PAGE).clamp(1, PAGE)).unwrap_or_default()
}

/// A list that is being printed.
pub(super) struct Listing<const COLUMNS: usize> {
    what: &'static str,
    table: Table<COLUMNS>,
    left: usize,
    count: usize,
    screen: Screen,
}

impl<const COLUMNS: usize> Listing<COLUMNS> {
    /// A list of so many things at the most.
    pub(super) fn new(
        what: &'static str,
        columns: [&'static str; COLUMNS],
        limit: Option<usize>,
        screen: Screen,
    ) -> Self {
        Self { what, table: Table::new(columns), left: limit.unwrap_or(usize::MAX), count: 0, screen }
    }

    /// Whether more may be printed.
    pub(super) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Prints a page, as far as there is room: its items as they were sent, or as rows.
    pub(super) fn print(
        &mut self,
        items: &[Value],
        rows: impl Iterator<Item = [String; COLUMNS]>,
    ) -> Result<(), Failure> {
        let rows: Vec<_> = rows.take(self.left).collect();
        self.left -= rows.len();
        self.count += rows.len();
        if self.screen.is_json {
            print(&items.iter().take(rows.len()).map(line).collect::<String>())
        } else {
            print(&self.table.rows(&rows))
        }
    }

    /// Tells how many there were.
    pub(super) fn finish(self) {
        let Self { what, count, screen, .. } = self;
        let words = if count == 0 { format!("no {what}") } else { format!("{what}: {count}") };
        screen.note(&words, "listed", &json!({ what: count }));
    }
}
