//! Paginates all lists: reads the query and the page token, and writes the next token. Each list has its own file.

use chrono::DateTime;
use serde::Serialize;

use super::caller::Caller;
use super::error::{Error, FieldCode, FieldError, Place};
use super::operation::Operation;
use super::service::App;
use crate::domain::clock::Timestamp;
use crate::domain::page::{Cursor, DEFAULT_LIMIT, Filters};
use crate::domain::store::{PageKey, PageRequest, SearchPage};

/// A page of a list.
#[derive(Debug, Serialize)]
pub struct Page<T> {
    /// Newest first.
    pub items: Vec<T>,
    /// Token of the next page; `None` on the last one.
    pub next_page: Option<String>,
}

/// A query that matches its schemas, with the filters that its page token carries.
pub(super) struct Listing {
    operation: Operation,
    limit: u32,
    after: Option<PageKey>,
    filters: Filters,
}

impl Listing {
    /// Returns the rows to read: one more than requested, which shows whether another page follows.
    pub(super) fn request(&self) -> PageRequest {
        PageRequest { after: self.after.clone(), limit: self.limit + 1 }
    }

    /// Returns a filter as the client sent it.
    pub(super) fn filter(&self, name: &str) -> Option<String> {
        self.filters.get(name).cloned()
    }

    /// Returns a filter in the form that the store accepts.
    pub(super) fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        let Some(text) = self.filters.get(name) else { return Ok(None) };
        parse(text).map(Some).ok_or_else(|| {
            let detail = "is invalid".to_owned();
            let place = Place::Parameter(name.to_owned());
            Error::Validation(FieldError { code: FieldCode::InvalidFormat, place, detail }.into())
        })
    }
}

/// Returns a bound of a half-open range. Times are stored in milliseconds, so a finer bound is rounded up.
pub(super) fn range_bound(text: &str) -> Option<Timestamp> {
    let bound = Timestamp::parse(text)?;
    let is_finer = DateTime::parse_from_rfc3339(text).ok()?.timestamp_subsec_nanos() % 1_000_000 != 0;
    Some(bound.plus_millis(i64::from(is_finer)))
}

/// A list of the dashboard, whose filters are parsed already.
pub(super) struct Walk<'a> {
    list: &'static str,
    account_id: &'a str,
    filters: Filters,
    limit: u32,
}

impl<'a> Walk<'a> {
    /// Returns the list with that unique name, without filters, in pages of the default size.
    pub(super) fn new(list: &'static str, account_id: &'a str) -> Self {
        Self { list, account_id, filters: Filters::new(), limit: DEFAULT_LIMIT }
    }

    /// Adds a filter. A page token is valid only with the filters that it was created with.
    #[must_use]
    pub(super) fn with(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            self.filters.insert(name.to_owned(), value.to_owned());
        }
        self
    }

    /// Sets the page size.
    #[must_use]
    pub(super) fn in_pages_of(self, limit: u32) -> Self {
        Self { limit, ..self }
    }
}

impl App {
    /// Returns the rows to read for the page of the token; `None` if the token is unknown or expired, or belongs to another list.
    pub(super) fn begin(&self, walk: &Walk<'_>, token: Option<&str>) -> Option<PageRequest> {
        let after = match token {
            None => None,
            Some(token) => {
                let cursor = self.tokens.read(walk.list, walk.account_id, token, self.clock.steady());
                Some(cursor.filter(|cursor| cursor.filters == walk.filters)?.after)
            }
        };
        // One more than requested shows whether another page follows.
        Some(PageRequest { after, limit: walk.limit + 1 })
    }

    /// Returns the page with the rows that were read for [`App::begin`].
    pub(super) fn end<T>(&self, walk: Walk<'_>, mut rows: Vec<T>, key: impl Fn(&T) -> PageKey) -> Page<T> {
        let limit = walk.limit as usize;
        let is_last = rows.len() <= limit;
        rows.truncate(limit);
        let next_page = rows.last().filter(|_| !is_last).map(|last| {
            let cursor = Cursor { filters: walk.filters, after: key(last) };
            self.tokens.write(walk.list, walk.account_id, cursor, self.clock.steady())
        });
        Page { items: rows, next_page }
    }

    /// Returns the page of a search. The search result contains the key where the next page continues.
    pub(super) fn end_at<T>(&self, walk: Walk<'_>, found: SearchPage<T>) -> Page<T> {
        let next_page = found.next.map(|after| {
            let cursor = Cursor { filters: walk.filters, after };
            self.tokens.write(walk.list, walk.account_id, cursor, self.clock.steady())
        });
        Page { items: found.rows, next_page }
    }

    /// Checks the query of a list and reads its page token.
    pub(super) fn listing(
        &self,
        operation: Operation,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Listing, Error> {
        let mut filters = self.document.check_query(operation, query).map_err(Error::Validation)?;
        let limit = filters.remove("limit").and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_LIMIT);
        let Some(token) = filters.remove("page_token") else {
            return Ok(Listing { operation, limit, after: None, filters });
        };
        let cursor = self.tokens.read(operation.id(), &caller.scope.account_id, &token, self.clock.steady());
        let cursor = cursor.ok_or(Error::InvalidPageToken)?;
        // The token contains the filters: repeating them is fine, but other filters would be another list.
        if filters.iter().any(|(name, text)| cursor.filters.get(name) != Some(text)) {
            return Err(Error::InvalidPageToken);
        }
        Ok(Listing { operation, limit, after: Some(cursor.after), filters: cursor.filters })
    }

    /// Returns the page with the rows that were read for [`Listing::request`].
    pub(super) fn page<T>(
        &self,
        listing: Listing,
        caller: &Caller,
        mut rows: Vec<T>,
        key: impl Fn(&T) -> PageKey,
    ) -> Page<T> {
        let limit = listing.limit as usize;
        let is_last = rows.len() <= limit;
        rows.truncate(limit);
        let next_page = rows.last().filter(|_| !is_last).map(|last| {
            let cursor = Cursor { filters: listing.filters, after: key(last) };
            self.tokens.write(listing.operation.id(), &caller.scope.account_id, cursor, self.clock.steady())
        });
        Page { items: rows, next_page }
    }
}
