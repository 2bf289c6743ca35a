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
    is_over: bool,
}

impl<'a, R: Paged> Items<'a, R> {
    /// Runs a stream of items on a runtime.
    pub(super) fn new(runtime: &'a Runtime, stream: pagination::Items<R>) -> Self {
        Self { runtime, stream, is_over: false }
    }
}

impl<R: Paged> Iterator for Items<'_, R> {
    type Item = Result<R::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let stream = &mut self.stream;
        match self.runtime.wait(async { Ok(stream.next().await) }) {
            Ok(next) => {
                self.is_over = next.is_none();
                next
            }
            // Waiting itself may be refused. Report that as an error of the list.
            Err(refused) => {
                self.is_over = true;
                Some(Err(refused))
            }
        }
    }
}
