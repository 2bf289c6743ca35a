//! Pages that come again under other tokens: a server that overlooks the token answers with the same page for ever, and where its
//! tokens hold the time, no two of them are the same.

use bytes::Bytes;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// How often a page may come again. In a list that grows while it is read, one that is found by its place does.
const TOLERATED: u32 = 2;

/// A page that the others are compared with, and how many were like it.
#[derive(Default)]
pub(crate) struct Repeats {
    /// Its body, and where in it its token begins and ends.
    marked: Option<(Bytes, usize, usize)>,
    count: u32,
}

/// A page, as far as it matters here.
#[derive(Deserialize)]
struct Page {
    items: Vec<IgnoredAny>,
}

impl Repeats {
    /// Compares the next pages with this one.
    pub(crate) fn mark(&mut self, body: Bytes, token: Option<&str>) {
        let place = token.and_then(|token| place_of(&body, token));
        self.marked = place.map(|(begin, end)| (body, begin, end));
    }

    /// Counts a page if it is the one that was marked but for its token. Whether there were too many: pages without items are none,
    /// since a server that looks for something may find it late.
    pub(crate) fn has_too_many(&mut self, body: &[u8], token: &str) -> bool {
        let Some((marked, marked_begin, marked_end)) = &self.marked else { return false };
        let Some((begin, end)) = place_of(body, token) else { return false };
        let is_same = body[..begin] == marked[..*marked_begin] && body[end..] == marked[*marked_end..];
        if is_same && serde_json::from_slice::<Page>(body).is_ok_and(|page| !page.items.is_empty()) {
            self.count += 1;
        }
        self.count > TOLERATED
    }
}

/// Where a token stands in a body, if it does so without escapes.
fn place_of(body: &[u8], token: &str) -> Option<(usize, usize)> {
    let begin = std::str::from_utf8(body).ok()?.rfind(token)?;
    Some((begin, begin + token.len()))
}
