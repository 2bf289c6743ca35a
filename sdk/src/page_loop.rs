//! A server whose pages never end: it names a page as the next one that was read before, or overlooks tokens and answers with the same page
//! for ever, or sends pages without items. Where its tokens hold the time, no two of them are the same.

use bytes::Bytes;

use crate::error::Error;
use crate::error_kind::ErrorKind;

/// How often a page may come again. In a list that grows while it is read, one that is found by its place does.
const TOLERATED_REPETITIONS: u32 = 2;
/// How many pages without items may come one after the other: a server that looks for something may find it late.
const MOST_EMPTY_PAGES: u32 = 1000;

/// Watches a walk over pages. It keeps one page to compare the others with, and takes a later one each time that twice as many were read:
/// a circle of any length comes upon it (Brent's algorithm).
#[derive(Default)]
pub(crate) struct PageLoopGuard {
    pages: u64,
    /// The token of the page that is kept; the first one has none.
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

/// What a page is.
pub(crate) struct PageRead<'a> {
    /// Its own token.
    pub(crate) token: Option<&'a str>,
    pub(crate) body: Bytes,
    pub(crate) is_empty: bool,
    /// The token of the page that follows.
    pub(crate) next: &'a str,
}

/// Why a walk would not end.
#[derive(Clone, Copy)]
pub(crate) enum PageLoop {
    /// A page comes again.
    Repetition,
    /// There is nothing on the pages.
    Emptiness,
}

impl PageLoopGuard {
    /// Looks at a page that another one follows; why the walk must not go on, if so.
    pub(crate) fn observe(&mut self, page: PageRead<'_>) -> Option<PageLoop> {
        // Pages without items are alike, and still may lead to something.
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

    /// Whether a page is the one that is kept, but for its token.
    fn is_kept(&self, body: &[u8], next: &str) -> bool {
        let Some(KeptPage { body: kept, token: (kept_begin, kept_end) }) = &self.kept_page else { return false };
        let Some((begin, end)) = place_of(body, next) else { return false };
        body[..begin] == kept[..*kept_begin] && body[end..] == kept[*kept_end..]
    }
}

impl PageLoop {
    /// The error of the walk.
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

/// Where a token stands in a body, if it does so without escapes.
fn place_of(body: &[u8], token: &str) -> Option<(usize, usize)> {
    let begin = std::str::from_utf8(body).ok()?.rfind(token)?;
    Some((begin, begin + token.len()))
}
