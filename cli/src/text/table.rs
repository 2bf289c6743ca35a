//! Lists and facts in aligned columns for people. Programs get JSON or CSV.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::visible::on_one_line;

/// Placeholder for a missing value.
const NOTHING: &str = "-";
/// Gap between two columns.
const GAP: &str = "  ";
/// Maximum width of a cell in columns of the terminal; longer ones are cut.
const WIDEST: usize = 48;

/// A table written row by row. A column grows with later rows, but written rows stay unchanged.
#[derive(Debug)]
pub(crate) struct Table<const COLUMNS: usize> {
    names: Option<[&'static str; COLUMNS]>,
    widths: [usize; COLUMNS],
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// Makes a table with these columns and no rows.
    pub(crate) fn new(names: [&'static str; COLUMNS]) -> Self {
        Self { names: Some(names), widths: [0; COLUMNS] }
    }

    /// Formats the next rows as lines, with the column names above the first ones. Without rows it returns an empty text.
    pub(crate) fn rows(&mut self, rows: &[[String; COLUMNS]]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let mut lines: Vec<[String; COLUMNS]> = self.names.take().into_iter().map(|names| names.map(cell)).collect();
        lines.extend(rows.iter().map(|row| row.each_ref().map(|value| cell(value))));
        for line in &lines {
            for (width, value) in self.widths.iter_mut().zip(line) {
                *width = (*width).max(value.width());
            }
        }
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&self, values: &[String; COLUMNS]) -> String {
        let mut line = String::new();
        for (value, width) in values.iter().zip(self.widths) {
            line.push_str(&padded(value, width));
            line.push_str(GAP);
        }
        format!("{}\n", line.trim_end())
    }
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

/// Formats a value on one line, cut to the maximum width.
fn cell(value: &str) -> String {
    // A message may contain line breaks. In an overview, a space is as good.
    let value = on_one_line(&value.split_whitespace().collect::<Vec<_>>().join(" "));
    if value.is_empty() {
        return NOTHING.to_owned();
    }
    if value.width() <= WIDEST {
        return value;
    }
    let mut cut = String::new();
    let mut width = 1;
    for letter in value.chars() {
        width += letter.width().unwrap_or_default();
        if width > WIDEST {
            break;
        }
        cut.push(letter);
    }
    cut + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_nothing_in_them_moves_the_cursor() {
        let mut table = Table::new(["ID", "NOTE"]);
        let rows = [["a".to_owned(), String::new()], ["漢字".to_owned(), "x\ny\u{1b}[2J".to_owned()]];
        assert_eq!(table.rows(&rows), "ID    NOTE\na     -\n漢字  x y\\u{1b}[2J\n");
        assert_eq!(table.rows(&[]), "");
        assert_eq!(table.rows(&[["b".to_owned(), "z".repeat(60)]]), format!("b     {}…\n", "z".repeat(47)));
    }

    #[test]
    fn facts_without_a_value_are_left_out() {
        let text = facts([("id", Some("1".to_owned())), ("url", None), ("title", Some("a\u{7}".to_owned()))]);
        assert_eq!(text, "id     1\ntitle  a\\u{7}\n");
    }
}
