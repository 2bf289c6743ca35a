//! Output of a list, page by page: a table for people, one JSON document per line for programs.

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Screen, print};
use crate::text::{Table, line};

/// Maximum number of items on a page.
const PAGE: usize = 100;

/// Returns the page size for a list with this limit.
pub(super) fn page_size(limit: Option<usize>) -> u32 {
    u32::try_from(limit.unwrap_or(PAGE).clamp(1, PAGE)).unwrap_or_default()
}

/// State of a list that is being printed.
pub(super) struct Listing<const COLUMNS: usize> {
    what: &'static str,
    table: Table<COLUMNS>,
    left: usize,
    count: usize,
    screen: Screen,
}

impl<const COLUMNS: usize> Listing<COLUMNS> {
    /// Makes a list of at most `limit` items.
    pub(super) fn new(
        what: &'static str,
        columns: [&'static str; COLUMNS],
        limit: Option<usize>,
        screen: Screen,
    ) -> Self {
        Self { what, table: Table::new(columns), left: limit.unwrap_or(usize::MAX), count: 0, screen }
    }

    /// Returns true if more items may be printed.
    pub(super) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Prints a page up to the limit: its items as JSON, or as rows.
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

    /// Prints the number of items.
    pub(super) fn finish(self) {
        let Self { what, count, screen, .. } = self;
        let words = if count == 0 { format!("no {what}") } else { format!("{what}: {count}") };
        screen.note(&words, "listed", &json!({ what: count }));
    }
}
