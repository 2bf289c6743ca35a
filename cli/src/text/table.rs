//! Lists and facts in aligned columns for people. Programs get JSON or CSV.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::visible::on_one_line;

/// Placeholder for a missing value.
const NOTHING: &str = "-";
/// Gap between two columns.
const GAP: &str = "  ";
/// Minimum width to which a column is shortened.
const MIN_WIDTH: usize = 16;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    name: &'static str,
    /// True if its values may be shortened.
    is_text: bool,
}

impl Column {
    /// Makes a column of ids, addresses, times or words, which are useless in part.
    pub(crate) const fn whole(name: &'static str) -> Self {
        Self { name, is_text: false }
    }

    /// Makes a column of texts, which are shortened if the terminal is too narrow.
    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, is_text: true }
    }
}

/// A table written row by row. A column grows with later rows, but written rows stay unchanged. On a terminal it fits the width: first
/// the texts are shortened, then columns are left out, the last ones first.
#[derive(Debug)]
pub(crate) struct Table<const COLUMNS: usize> {
    columns: [Column; COLUMNS],
    has_head: bool,
    widths: [usize; COLUMNS],
    /// Width of the terminal in columns; `None` for any other output, which gets everything.
    terminal: Option<usize>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// Makes a table with these columns and no rows.
    pub(crate) fn new(columns: [Column; COLUMNS], terminal: Option<usize>) -> Self {
        Self { columns, has_head: false, widths: [0; COLUMNS], terminal }
    }

    /// Formats the next rows as lines, with the column names above the first ones. Without rows it returns an empty text.
    pub(crate) fn rows(&mut self, rows: &[[String; COLUMNS]]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let mut lines: Vec<[String; COLUMNS]> = Vec::new();
        if !self.has_head {
            lines.push(self.columns.map(|column| cell(column.name)));
            self.has_head = true;
        }
        lines.extend(rows.iter().map(|row| row.each_ref().map(|value| cell(value))));
        for line in &lines {
            for (width, value) in self.widths.iter_mut().zip(line) {
                *width = (*width).max(value.width());
            }
        }
        let widths = self.fitting();
        lines.iter().map(|values| line(values, &widths)).collect()
    }

    /// Returns the widths of the columns that fit the terminal.
    fn fitting(&self) -> Vec<usize> {
        let room = self.terminal.unwrap_or(usize::MAX);
        let mut widths = self.widths.to_vec();
        while widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1) > room {
            let texts = (0..widths.len()).filter(|&index| self.columns[index].is_text && widths[index] > MIN_WIDTH);
            if let Some(widest) = texts.max_by_key(|&index| widths[index]) {
                widths[widest] -= 1;
            } else if widths.len() > 1 {
                // The columns before it may be as wide as they are again.
                widths = self.widths[..widths.len() - 1].to_vec();
            } else {
                break;
            }
        }
        widths
    }
}

/// Formats the values of the shown columns.
fn line(values: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (value, &width) in values.iter().zip(widths) {
        line.push_str(&padded(&shortened(value, width), width));
        line.push_str(GAP);
    }
    format!("{}\n", line.trim_end())
}

/// Formats names and values, one pair per line. Omits missing values.
pub(crate) fn facts<const COUNT: usize>(facts: [(&str, Option<String>); COUNT]) -> String {
    let given = facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect::<Vec<_>>();
    let width = given.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
    let lines = given.iter().map(|(name, value)| format!("{}{GAP}{}", padded(name, width), on_one_line(value)));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Formats a value on one line.
fn cell(value: &str) -> String {
    // A message may contain line breaks. In an overview, a space is as good.
    let value = on_one_line(&value.split_whitespace().collect::<Vec<_>>().join(" "));
    if value.is_empty() { NOTHING.to_owned() } else { value }
}

/// Cuts a text that is too wide, and marks the place with `…`.
fn shortened(text: &str, widest: usize) -> Cow<'_, str> {
    if text.width() <= widest {
        return text.into();
    }
    let mut cut = String::new();
    let mut width = 1;
    for letter in text.chars() {
        width += letter.width().unwrap_or_default();
        if width > widest {
            break;
        }
        cut.push(letter);
    }
    (cut + "…").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_nothing_in_them_moves_the_cursor() {
        let mut table = Table::new([Column::whole("ID"), Column::text("NOTE")], None);
        let rows = [["a".to_owned(), String::new()], ["漢字".to_owned(), "x\ny\u{1b}[2J".to_owned()]];
        assert_eq!(table.rows(&rows), "ID    NOTE\na     -\n漢字  x y\\u{1b}[2J\n");
        assert_eq!(table.rows(&[]), "");
        assert_eq!(table.rows(&[["b".to_owned(), "z".repeat(600)]]), format!("b     {}\n", "z".repeat(600)));
    }

    #[test]
    fn a_table_fits_the_terminal_and_ids_stay_whole() {
        let columns = [Column::whole("ID"), Column::text("TITLE"), Column::whole("WRITTEN"), Column::text("URL")];
        let row =
            ["art_1234567890", "漢字 and words", "2026-11-02", "https://a.example/a-long-address"].map(str::to_owned);
        let shown = |terminal| {
            Table::new(columns, terminal).rows(std::slice::from_ref(&row)).lines().last().unwrap().to_owned()
        };
        let whole = "art_1234567890  漢字 and words  2026-11-02  https://a.example/a-long-address";
        assert_eq!(shown(None), whole);
        assert_eq!(shown(Some(76)), whole);
        assert_eq!(shown(Some(60)), "art_1234567890  漢字 and words  2026-11-02  https://a.examp…");
        assert_eq!(shown(Some(50)), "art_1234567890  漢字 and words  2026-11-02");
        assert_eq!(shown(Some(30)), "art_1234567890  漢字 and words");
        assert_eq!(shown(Some(20)), "art_1234567890");
        assert_eq!(shown(Some(1)), "art_1234567890");
        for terminal in 14..80 {
            assert!(shown(Some(terminal)).width() <= terminal, "{terminal}");
        }
    }

    #[test]
    fn facts_without_a_value_are_left_out() {
        let text = facts([("id", Some("1".to_owned())), ("url", None), ("title", Some("a\u{7}".to_owned()))]);
        assert_eq!(text, "id     1\ntitle  a\\u{7}\n");
    }
}
