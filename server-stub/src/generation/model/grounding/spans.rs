//! Text of a paragraph as pieces with one style each.

use std::ops::Range;

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Span {
    pub(super) text: String,
    pub(super) style: Style,
}

/// Style of a piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Style {
    pub(super) is_strong: bool,
    pub(super) is_emphasised: bool,
    pub(super) is_code: bool,
    pub(super) link: Option<String>,
}

/// Returns the text of all pieces.
pub(super) fn text_of(spans: &[Span]) -> String {
    spans.iter().map(|span| span.text.as_str()).collect()
}

/// Adds a piece. Appends it to the last one if the style is the same.
pub(super) fn push(spans: &mut Vec<Span>, text: &str, style: &Style) {
    match spans.last_mut() {
        Some(last) if last.style == *style => last.text.push_str(text),
        _ => spans.push(Span { text: text.to_owned(), style: style.clone() }),
    }
}

/// Removes ranges of their text from the pieces. The ranges must be in order.
pub(super) fn without(spans: Vec<Span>, ranges: &[Range<usize>]) -> Vec<Span> {
    let mut start = 0;
    let mut kept = Vec::with_capacity(spans.len());
    for span in spans {
        let end = start + span.text.len();
        let mut text = String::with_capacity(span.text.len());
        let mut done = start;
        for range in ranges.iter().filter(|range| range.start < end && range.end > start) {
            if range.start > done {
                text.push_str(&span.text[done - start..range.start - start]);
            }
            done = done.max(range.end.min(end));
        }
        text.push_str(&span.text[done - start..]);
        if !text.is_empty() {
            kept.push(Span { text, style: span.style });
        }
        start = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_taken_out_across_pieces() {
        let span = |text: &str| Span { text: text.to_owned(), style: Style::default() };
        let spans = vec![span("one two"), span(" three"), span(" four")];
        let kept = |ranges: &[(usize, usize)]| {
            let ranges: Vec<_> = ranges.iter().map(|(start, end)| *start..*end).collect();
            text_of(&without(spans.clone(), &ranges))
        };
        assert_eq!(kept(&[(3, 13)]), "one four");
        assert_eq!(kept(&[(0, 18)]), "");
        assert_eq!(kept(&[(0, 1), (6, 7)]), "ne tw three four");
    }
}
