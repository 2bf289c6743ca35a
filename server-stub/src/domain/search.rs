//! Searching in lists: what is stored to be searched, and what a person typed. Finding rows is the store's business.

use std::fmt;

/// Most characters that are stored of a record to be searched, and so the most that an index has to hold.
pub const MAX_SEARCHABLE_CHARS: usize = 500;
/// Most characters of a search; more are cut off.
pub const MAX_SEARCH_CHARS: usize = 100;

/// The texts in lower case, one after the other.
pub fn searchable<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let joined = texts.into_iter().collect::<Vec<_>>().join(" ");
    joined.to_lowercase().chars().filter(|character| *character != '\0').take(MAX_SEARCHABLE_CHARS).collect()
}

/// What somebody searches for, in lower case. A row is found when it contains the text anywhere. `Debug` output does not show it: it may
/// be the address of a person.
#[derive(Clone, PartialEq, Eq)]
pub struct Search(String);

impl fmt::Debug for Search {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Search(…)")
    }
}

impl Search {
    /// Reads what was typed; `None` when that is nothing but white space.
    pub fn parse(typed: &str) -> Option<Self> {
        let text: String = searchable([typed.trim()]).chars().take(MAX_SEARCH_CHARS).collect();
        (!text.is_empty()).then_some(Self(text))
    }

    /// What is looked for.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pattern for `LIKE … ESCAPE '\'`.
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
        assert_eq!(format!("{:?}", Search::parse("planted@example.org").unwrap()), "Search(…)");
    }
}
