//! Shortens texts that are too long to show.
//!
//! `difference` finds the first difference of two long texts.

/// Returns `text`, or its first `length` characters with `…` and the number of omitted characters.
pub fn excerpt(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} more characters)", &text[..end], text[end..].chars().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn what_is_cut_says_how_much_is_left_out() {
        assert_eq!(excerpt("né", 2), "né");
        assert_eq!(excerpt("né\u{1f600}è", 2), "né… (2 more characters)");
        assert_eq!(excerpt("", 0), "");
    }
}
