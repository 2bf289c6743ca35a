//! Cells of a table that a spreadsheet opens: strangers write what stands in a lead.

use super::visible;

/// A text that no spreadsheet takes for a formula: a `'` stands before what one would begin with. The full-width forms
/// count too, since some programs read them as the narrow ones.
pub(crate) fn harmless(text: &str) -> String {
    let text = visible(text);
    if text.starts_with(['=', '+', '-', '@', '\t', '\n', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for text in ["=1+1", "+49 30 1", "-2", "@SUM(A1)", "\t=1", "\r\n=1", "＝1"] {
            assert!(harmless(text).starts_with('\''), "{text:?}");
        }
        assert_eq!(harmless("\r=1"), r"\u{d}=1");
        assert_eq!(harmless("a=b"), "a=b");
    }
}
