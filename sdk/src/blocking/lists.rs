//! Lists as iterators.

use super::Client;
use crate::call::Call;
use crate::error::Error;
use crate::pagination::{self, PageItems, Paged};
use crate::response::Response;

/// The pages of a list, for a `for` loop. See [`pagination::Pages`].
#[derive(Debug)]
#[must_use = "pages are fetched as they are asked for"]
pub struct Pages<P: Paged> {
    client: Client,
    stream: pagination::Pages<P>,
}

/// The items of a list over all its pages, for a `for` loop. The iterator ends after an error, except after one about a single item. See
/// [`pagination::Items`].
#[derive(Debug)]
#[must_use = "items are fetched as they are asked for"]
pub struct Items<P: Paged> {
    client: Client,
    stream: pagination::Items<P>,
}

impl<P: Paged> Pages<P> {
    /// Makes the pages from the first one that a request asks for.
    pub(crate) fn new(client: Client, call: Call) -> Self {
        Self { stream: pagination::Pages::new(client.api(), call), client }
    }

    /// Returns the items of the next page, each one or its error: see [`pagination::Pages::next_items`].
    pub fn next_items(&mut self) -> Option<Result<PageItems<P::Item>, Error>> {
        self.client.wait(self.stream.next_items())
    }

    /// Token of the page that is read next, or that failed: see [`pagination::Pages::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.stream.page_token()
    }
}

impl<P: Paged> Items<P> {
    /// Makes the items from the first page that a request asks for.
    pub(crate) fn new(client: Client, call: Call) -> Self {
        Self { stream: pagination::Items::new(client.api(), call), client }
    }

    /// Token of the page with the item that was returned last, or of the page that failed: see [`pagination::Items::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.stream.page_token()
    }
}

impl<P: Paged> Iterator for Pages<P> {
    type Item = Result<Response<P>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.client.wait(self.stream.next())
    }
}

impl<P: Paged> Iterator for Items<P> {
    type Item = Result<P::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.client.wait(self.stream.next())
    }
}
