//! The items of a list as an iterator.

use super::runtime::Runtime;
use crate::error::Error;
use crate::pagination::{self, Paged};

/// The items of a list over all its pages, for a `for` loop.
#[derive(Debug)]
#[must_use = "items are fetched as they are asked for"]
pub struct Items<'a, R: Paged> {
    runtime: &'a Runtime,
    stream: pagination::Items<R>,
}

impl<'a, R: Paged> Items<'a, R> {
    /// Runs a stream of items on a runtime.
    pub(super) fn new(runtime: &'a Runtime, stream: pagination::Items<R>) -> Self {
        Self { runtime, stream }
    }
}

impl<R: Paged> Iterator for Items<'_, R> {
    type Item = Result<R::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.runtime.wait(self.stream.next())
    }
}
