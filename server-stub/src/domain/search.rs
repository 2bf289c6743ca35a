//! Search in lists: the stored search text, and the query. The store finds the rows.

use std::fmt;

use super::unicode_form::composed;

/// Maximum number of characters of a record's search text, and so of an index entry.
pub const MAX_SEARCHABLE_CHARS: usize = 500;
/// Maximum number of characters of a search; the rest is cut off.
pub const MAX_SEARCH_CHARS: usize = 100;

/// Joins the texts in NFC and in lower case.
pub fn searchable<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let joined = texts.into_iter().collect::<Vec<_>>().join(" ");
    composed(&joined).to_lowercase().chars().filter(|character| *character != '\0').take(MAX_SEARCHABLE_CHARS).collect()
}

/// A search query, in NFC and in lower case. It matches rows that contain the text anywhere. `Debug` output hides it, since it may be a
/// person's address.
#[derive(Clone, PartialEq, Eq)]
pub struct Search(String);

impl fmt::Debug for Search {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Search(…)")
    }
}

impl Search {
    /// Reads the typed text; `None` if it is only white space.
    pub fn parse(typed: &str) -> Option<Self> {
        let text: String = searchable([typed.trim()]).chars().take(MAX_SEARCH_CHARS).collect();
        (!text.is_empty()).then_some(Self(text))
    }

    /// Returns the query.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the pattern for `LIKE … ESCAPE '\'`.
    pub fn like_pattern(&self) -> String {
        let mut pattern = String::with_capacity(self.0.len() + 2);
        pattern.push('%');
        for character in self.0.chars() {
            if matches!(character, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(character);
        }
        pattern.push('%');
        pattern
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_lower_case_bounded_and_its_wildcards_are_plain_text() {
        assert_eq!(Search::parse("  \t"), None);
        assert_eq!(Search::parse(" 50%_Ä\\ ").unwrap().like_pattern(), "%50\\%\\_ä\\\\%");
        assert_eq!(Search::parse(&"x".repeat(5000)).unwrap().like_pattern().len(), MAX_SEARCH_CHARS + 2);
        assert_eq!(searchable(["One", "TWO"]), "one two");
        assert_eq!(Search::parse("Cre\u{300}me").unwrap().as_str(), "crème");
        assert_eq!(format!("{:?}", Search::parse("planted@example.org").unwrap()), "Search(…)");
    }
}
