//! Cells of a table that a spreadsheet opens: strangers write what stands in a lead.

use super::visible;

/// A text that no spreadsheet takes for a formula: a `'` stands before what one would begin with. The full-width forms
/// count too, since some programs read them as the narrow ones.
pub(crate) fn harmless(text: &str) -> String {
    let text = visible(text);
    let begins_formula = text.starts_with(['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠']);
    if begins_formula && !is_number(&text) { format!("'{text}") } else { text }
}

/// Whether a text is a sign and digits, as telephone numbers are (E.164): nothing in it can be computed. Spaces may stand
/// between the digits.
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
            assert!(harmless(text).starts_with('\''), "{text:?}");
        }
        assert_eq!(harmless("\r=1"), r"\u{d}=1");
        for text in ["a=b", "+442079460000", "+49 30 1234567", "-2", "030 1"] {
            assert_eq!(harmless(text), text);
        }
    }
}
