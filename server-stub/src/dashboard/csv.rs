//! CSV downloads (RFC 4180) that are safe to open in a spreadsheet. Some cells contain text from outside, so no cell may begin a
//! formula (OWASP, "CSV Injection"). `contentgen leads --csv` writes the same table; a test of it compares both.

use std::fmt::Write as _;

/// Media type of the file.
pub(super) const MEDIA_TYPE: &str = "text/csv; charset=utf-8";
/// Marks the file as UTF-8 for spreadsheets; must come first.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns the first line, with the names of the columns.
pub(super) fn head(names: &[&str]) -> String {
    format!("{BYTE_ORDER_MARK}{}", line(names))
}

/// Returns a line with these cells. All are quoted, because some spreadsheets split cells at semicolons or tabs.
pub(super) fn line(cells: &[impl AsRef<str>]) -> String {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(cells.iter().map(|cell| harmless(cell.as_ref()))).expect("writing to a Vec does not fail");
    let line = writer.into_inner().expect("writing to a Vec does not fail");
    String::from_utf8(line).expect("the cells are UTF-8")
}

/// Makes a text safe for spreadsheets and terminals. Puts a `'` before a character that begins a formula. This includes full-width
/// forms, which some programs read as the normal ones. Control characters are escaped as `\u{…}`.
fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            write!(harmless, "{}", letter.escape_unicode()).expect("writing to a String does not fail");
        } else {
            harmless.push(letter);
        }
    }
    let begins_formula = harmless.starts_with(['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠']);
    if begins_formula && !is_number(&harmless) {
        harmless.insert(0, '\'');
    }
    harmless
}

/// Returns true if a text is a sign and digits, with or without spaces, such as a telephone number in E.164: it computes nothing.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or_default();
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for text in ["=1+1", "+49 30-1", "-2+3", "+ 1", "+", "@SUM(A1)", "\t=1", "\r\n=1", "＝1", "＋1"] {
            assert!(harmless(text).starts_with('\''), "{text:?}");
        }
        for text in ["+442079460000", "+49 30 1", "-2"] {
            assert_eq!(harmless(text), text);
        }
        assert_eq!(harmless("\r=1"), r"\u{d}=1");
        assert_eq!(harmless("a=b\u{1b}[2J"), r"a=b\u{1b}[2J");
        assert_eq!(line(&["=HYPERLINK(\"x\")", "1-1"]), "\"'=HYPERLINK(\"\"x\"\")\",\"1-1\"\r\n");
    }

    #[test]
    fn every_cell_is_quoted() {
        assert_eq!(line(&["plain ü", "a,\"b\"\nc", ""]), "\"plain ü\",\"a,\"\"b\"\"\nc\",\"\"\r\n");
        assert_eq!(head(&["id"]), "\u{feff}\"id\"\r\n");
    }
}
