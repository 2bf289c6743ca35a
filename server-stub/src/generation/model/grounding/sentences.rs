//! Splits a paragraph into sentences, so that whole sentences can be removed.

use std::ops::Range;

use crate::domain::voice::sentences;

/// Abbreviations whose point does not end a sentence.
const ABBREVIATIONS: [&str; 22] = [
    "dr.", "prof.", "mr.", "mrs.", "ms.", "sr.", "jr.", "st.", "no.", "nr.", "vs.", "etc.", "e.g.", "i.e.", "approx.",
    "ca.", "fig.", "inc.", "ltd.", "co.", "corp.", "u.s.",
];

/// Returns the ranges of the sentences in order, each with the preceding white space. Together they cover the text.
pub(super) fn sentence_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for sentence in sentences(text) {
        // `sentence` is a slice of `text`.
        let end = sentence.as_ptr().addr() - text.as_ptr().addr() + sentence.len();
        match ranges.last_mut() {
            Some(last) if goes_on(&text[last.clone()], &text[last.end..end]) => last.end = end,
            _ => ranges.push(start..end),
        }
        start = end;
    }
    match ranges.last_mut() {
        Some(last) => last.end = text.len(),
        None => ranges.push(0..text.len()),
    }
    ranges
}

fn goes_on(before: &str, after: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default().trim_start_matches('(').to_lowercase();
    let begins_small = after.trim_start().chars().next().is_some_and(char::is_lowercase);
    ABBREVIATIONS.contains(&last.as_str()) || (begins_small && last.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_whole_and_together_they_are_the_text() {
        let text = "Ask Dr. Smith. It is approx. 5 kg (e.g. flour). Done! Really?  Yes";
        let ranges = sentence_ranges(text);
        let parts: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(parts, ["Ask Dr. Smith.", " It is approx. 5 kg (e.g. flour).", " Done!", " Really?", "  Yes"]);
        assert_eq!(parts.concat(), text);
        assert_eq!(sentence_ranges("…").len(), 1);
    }
}
