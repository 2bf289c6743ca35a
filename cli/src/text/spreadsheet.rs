//! Cells of a table for spreadsheets, as in the export of the dashboard. Strangers write the texts of leads, so these must not become
//! formulas (OWASP, "CSV Injection").

use super::visible;
use super::visible::without_controls;

/// Marks a table as UTF-8 for spreadsheets; must come first.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns a text that no spreadsheet treats as a formula: puts a `'` before the first character of one. Full-width characters count too,
/// since some programs read them like the normal ones. In a file, a text may contain a command to a CI system.
pub(crate) fn harmless(text: &str, is_file: bool) -> String {
    let text = if is_file { without_controls(text) } else { visible(text) };
    let begins_formula = text.starts_with(['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠']);
    if begins_formula && !is_number(&text) { format!("'{text}") } else { text }
}

/// Returns true if a text is a sign and digits, as in telephone numbers (E.164): there is nothing to compute. Spaces between the digits
/// are allowed.
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
        for text in ["=1+1", "+49 30-1", "+1*2", "-2+3", "+A1", "+ 1", "+", "@SUM(A1)", "\t=1", "\r\n=1", "＝1", "＋1"]
        {
            assert!(harmless(text, true).starts_with('\''), "{text:?}");
        }
        assert_eq!(harmless("\r=1", true), r"\u{d}=1");
        for text in ["a=b", "+442079460000", "+49 30 1234567", "-2", "030 1", "##[x]"] {
            assert_eq!(harmless(text, true), text);
        }
        assert_eq!(harmless("##[x]", false), r"##\[x]");
    }
}
