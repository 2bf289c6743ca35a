//! Finds quotations in a paragraph, and quotation marks to remove.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::voice::count_pronouns;

use super::patterns::SPEAKING;
use super::sentences::sentence_ranges;
use super::sources::Sources;

/// Minimum number of words of a quotation, unless a person speaks in it or beside it. Fewer words are only a named term.
const MIN_QUOTED_WORDS: usize = 4;

/// Characters that are always quotation marks.
pub(super) const MARKS: [char; 20] = [
    '"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{ab}', '\u{bb}', '\u{2039}', '\u{203a}', '\u{300c}',
    '\u{300d}', '\u{300e}', '\u{300f}', '\u{301d}', '\u{301e}', '\u{301f}', '\u{ff02}', '\u{275d}', '\u{275e}',
    '\u{201a}',
];

/// Matches from one mark to the next or to the end of the paragraph, and words between single marks.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    let marks: String = MARKS.iter().collect();
    Regex::new(&format!(
        r"[{marks}](?P<double>[^{marks}]*)(?:[{marks}]|$)|(?:^|[\s(])[\u{{2018}}'](?P<single>[^\u{{2018}}\n]{{3,}}?)[\u{{2019}}'](?:$|[\s.,;:!?)])"
    ))
    .expect("the pattern is valid")
});

/// Quotations in a paragraph.
#[derive(Debug, Default)]
pub(super) struct Quotations {
    /// Quotations without a source. Sentences that overlap them are removed.
    pub(super) unsourced: Vec<Range<usize>>,
    /// Quotations of the request or the profile, with their marks. They stay, unless one of their sentences is removed.
    pub(super) sourced: Vec<Range<usize>>,
    /// Quotation marks around or in named terms, or without a partner. Only the marks are removed.
    pub(super) marks: Vec<Range<usize>>,
}

/// Finds the quotations of a paragraph.
pub(super) fn quotations(text: &str, sources: &Sources) -> Quotations {
    let mut found = Quotations::default();
    if !text.contains(MARKS) && !text.contains(['\u{2018}', '\'']) {
        return found;
    }
    let sentences = sentence_ranges(text);
    for quoted in QUOTED.captures_iter(text) {
        let whole = quoted.get(0).expect("the match itself");
        let (inner, is_double) = match (quoted.name("double"), quoted.name("single")) {
            (Some(inner), _) => (inner, true),
            (None, Some(inner)) => (inner, false),
            (None, None) => continue,
        };
        let is_closed = text[inner.end()..whole.end()].chars().next().is_some();
        if is_closed && sources.has_words(inner.as_str()) {
            found.sourced.push(whole.range());
            continue;
        }
        let beside = sentences.iter().filter(|range| range.start < whole.end() && whole.start() < range.end);
        let somebody_speaks = beside.into_iter().any(|range| SPEAKING.is_match(&text[range.clone()]));
        // A word with hyphens is one word. Scripts without spaces have words, too.
        let count = inner.as_str().replace('-', "").unicode_words().count();
        let persons = count_pronouns(inner.as_str());
        let is_of_somebody = somebody_speaks || persons.singular + persons.plural > 0;
        if count >= MIN_QUOTED_WORDS || (count > 0 && is_of_somebody && is_double) {
            found.unsourced.push(whole.range());
        } else {
            found.marks.extend(marks(text, whole.range()));
        }
    }
    found
}

/// Returns the places of the quotation marks within a part of a text.
pub(super) fn marks(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = within.start;
    text[within].match_indices(MARKS).map(move |(at, mark)| start + at..start + at + mark.len())
}
