//! Detects a server whose pages never end: it returns a page again, ignores tokens and always returns the same page, or sends endless
//! empty pages. Tokens alone do not show a loop: if they contain the time, no two of them are equal.

use bytes::Bytes;

use crate::error::Error;
use crate::error_kind::ErrorKind;

/// Maximum number of times a page may repeat. A list that grows during pagination by offset repeats pages.
const TOLERATED_REPETITIONS: u32 = 2;
/// Maximum number of consecutive empty pages: a server that filters may find matches late.
const MOST_EMPTY_PAGES: u32 = 1000;

/// Watches a pagination for loops. It keeps one page to compare the others with, and replaces it each time twice as many pages were read.
/// That detects a cycle of any length (Brent's algorithm).
#[derive(Default)]
pub(crate) struct PageLoopGuard {
    pages: u64,
    /// Token of the kept page; the first page has none.
    kept_token: Option<String>,
    kept_page: Option<KeptPage>,
    repetitions: u32,
    empty_in_a_row: u32,
}

/// A body, and where in it the token of the next page begins and ends.
struct KeptPage {
    body: Bytes,
    token: (usize, usize),
}

/// A page, as the guard needs it.
pub(crate) struct PageRead<'a> {
    /// Token of this page.
    pub(crate) token: Option<&'a str>,
    pub(crate) body: Bytes,
    pub(crate) is_empty: bool,
    /// Token of the next page.
    pub(crate) next: &'a str,
}

/// Reason why a pagination would not end.
#[derive(Clone, Copy)]
pub(crate) enum PageLoop {
    /// A page repeats.
    Repetition,
    /// The pages are empty.
    Emptiness,
}

impl PageLoopGuard {
    /// Checks a page that is followed by another one. Returns the reason if the pagination must stop.
    pub(crate) fn observe(&mut self, page: PageRead<'_>) -> Option<PageLoop> {
        // Empty pages look alike, but may still be followed by items.
        self.empty_in_a_row = if page.is_empty { self.empty_in_a_row + 1 } else { 0 };
        self.repetitions += u32::from(!page.is_empty && self.is_kept(&page.body, page.next));
        if self.pages.is_power_of_two() {
            self.kept_token = page.token.map(str::to_owned);
            let place = place_of(&page.body, page.next);
            self.kept_page = place.map(|token| KeptPage { body: page.body, token });
        }
        self.pages += 1;
        if self.kept_token.as_deref() == Some(page.next) || self.repetitions > TOLERATED_REPETITIONS {
            Some(PageLoop::Repetition)
        } else if self.empty_in_a_row >= MOST_EMPTY_PAGES {
            Some(PageLoop::Emptiness)
        } else {
            None
        }
    }

    /// Returns true if a page equals the kept page, except for its token.
    fn is_kept(&self, body: &[u8], next: &str) -> bool {
        let Some(KeptPage { body: kept, token: (kept_begin, kept_end) }) = &self.kept_page else { return false };
        let Some((begin, end)) = place_of(body, next) else { return false };
        body[..begin] == kept[..*kept_begin] && body[end..] == kept[*kept_end..]
    }
}

impl PageLoop {
    /// Returns the error of the pagination.
    pub(crate) fn error(self) -> Error {
        let message = match self {
            Self::Repetition => "the `next_page` of the last page is a page that was read before".to_owned(),
            Self::Emptiness => {
                format!("{MOST_EMPTY_PAGES} pages in a row have no items, but the last one has a `next_page`")
            }
        };
        Error::new(ErrorKind::UnexpectedResponse, message)
    }
}

/// Returns the position of a token in a body, if the body contains it without escapes.
fn place_of(body: &[u8], token: &str) -> Option<(usize, usize)> {
    let begin = std::str::from_utf8(body).ok()?.rfind(token)?;
    Some((begin, begin + token.len()))
}
