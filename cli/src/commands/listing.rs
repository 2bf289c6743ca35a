//! Lists, page by page up to the limit: a table for people, one JSON document per line for programs. An entry that cannot be read is
//! reported on standard error; the other entries follow.

use std::path::Path;

use contentgen_sdk::pagination::{Paged, Pages};
use serde_json::{Value, json};

use super::raw::raw_items;
use crate::arguments::Paging;
use crate::failure::{Exit, Failure};
use crate::output::{Screen, print};
use crate::text::Table;

/// Maximum number of items on a page.
const MAX_PAGE_SIZE: usize = 100;

/// Returns the size of equal pages that a list with this limit needs.
pub(super) fn page_size(limit: usize) -> u32 {
    let pages = limit.div_ceil(MAX_PAGE_SIZE).max(1);
    u32::try_from(limit.div_ceil(pages).clamp(1, MAX_PAGE_SIZE)).unwrap_or_default()
}

/// A list that is being read.
pub(super) struct Walk<R: Paged> {
    what: &'static str,
    pages: Pages<R>,
    left: usize,
    count: usize,
    /// Number of entries that were reported instead of printed.
    unreadable: usize,
    /// Token of the page with the first item that was not shown. The first page of a list has none.
    token: Option<String>,
    has_more: bool,
    screen: Screen,
}

impl<R: Paged> Walk<R> {
    /// Makes a list of at most `limit` items.
    pub(super) fn new(what: &'static str, pages: Pages<R>, paging: &Paging, limit: usize, screen: Screen) -> Self {
        let token = paging.page_token.clone();
        Self { what, pages, left: limit, count: 0, unreadable: 0, token, has_more: false, screen }
    }

    /// Returns the items of the next page, as received and as read; `None` at the end of the list and at the limit. Reports the entries
    /// that cannot be read. They count towards the limit.
    pub(super) async fn page(&mut self) -> Result<Option<(Vec<Value>, Vec<R::Item>)>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        let page = match self.pages.next_items().await {
            None => return Ok(None),
            Some(Ok(page)) => page,
            Some(Err(error)) => {
                let failure = Failure::from(error);
                return Err(match &self.token {
                    Some(token) if self.count + self.unreadable > 0 => {
                        failure.resumed_by(&format!("--page-token {token}"))
                    }
                    _ => failure,
                });
            }
        };
        let next = self.pages.page_token();
        let length = page.items.len();
        let mut read = (Vec::new(), Vec::new());
        for (raw, item) in raw_items(page.body()).into_iter().zip(page.items).take(self.left) {
            match item {
                Ok(item) => {
                    read.0.push(raw);
                    read.1.push(item);
                }
                Err(error) => {
                    self.unreadable += 1;
                    self.screen.complain(&Failure::from(error).on_page(self.token.as_deref()));
                }
            }
        }
        self.has_more = next.is_some() || length > self.left;
        // A page that was shown in part is shown again: a resumed list repeats items, it skips none.
        if length <= self.left {
            self.token = next.map(str::to_owned);
        }
        self.left -= length.min(self.left);
        self.count += read.1.len();
        Ok(Some(read))
    }

    /// Prints the number of items, and how to list the rest. Returns the number, or a failure if entries could not be read.
    pub(super) fn finish(self, file: Option<&Path>) -> Result<usize, Failure> {
        let Self { what, count, unreadable, token, has_more, screen, .. } = self;
        let is_empty = count == 0 && unreadable == 0;
        let mut words = vec![if is_empty { format!("no {what}") } else { format!("{what}: {count}") }];
        words.extend(file.map(|path| format!("in {}", path.display())));
        let mut told = json!({ what: count });
        if unreadable > 0 {
            told["unreadable"] = json!(unreadable);
        }
        if has_more {
            words.push("there are more: --all lists everything".to_owned());
            words.extend(token.as_ref().map(|token| format!("--page-token {token} lists the rest")));
            told["next_page"] = json!(token);
        }
        let words = words.join(", ");
        screen.note(&words, "listed", &told);
        if unreadable > 0 {
            let message = format!("{unreadable} of {} {what} could not be read", count + unreadable);
            let advice = "the others are complete; report the ids and request ids above to the operators of the server";
            return Err(Failure::new(Exit::Failed, message).advise(advice));
        }
        Ok(count)
    }
}

/// Prints a list and the number of its items. Returns the number.
pub(super) async fn print_list<R: Paged, const COLUMNS: usize>(
    mut walk: Walk<R>,
    mut table: Table<COLUMNS>,
    row: impl Fn(&R::Item) -> [String; COLUMNS],
) -> Result<usize, Failure> {
    while let Some((raw, items)) = walk.page().await? {
        print(&if walk.screen.is_json {
            raw.iter().map(|item| walk.screen.line(item)).collect::<String>()
        } else {
            table.rows(&items.iter().map(&row).collect::<Vec<_>>())
        })?;
    }
    walk.finish(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_equal_and_end_at_the_limit() {
        for (limit, size) in [(0, 1), (1, 1), (100, 100), (150, 75), (102, 51), (usize::MAX, 100)] {
            assert_eq!(page_size(limit), size, "{limit}");
        }
    }
}
