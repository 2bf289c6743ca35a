//! Paginates all lists: reads the query and the page token, and writes the next token. Each list has its own file.

use chrono::DateTime;
use serde::Serialize;

use super::{App, Caller, Error, FieldCode, FieldError, Operation, Place};
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

/// A page to read of a list. A page token is valid only with the name, the owner and the filters that it was created with.
pub(super) struct Listing {
    name: &'static str,
    owner_id: String,
    filters: Filters,
    limit: u32,
    after: Option<PageKey>,
}

impl Listing {
    /// Returns the first page of the list with that unique name, without filters, in pages of the default size.
    pub(super) fn new(name: &'static str, owner_id: &str) -> Self {
        Self { name, owner_id: owner_id.to_owned(), filters: Filters::new(), limit: DEFAULT_LIMIT, after: None }
    }

    /// Adds a filter.
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

    /// Returns the rows to read: one more than requested, which shows whether another page follows.
    pub(super) fn request(&self) -> PageRequest {
        PageRequest { after: self.after.clone(), limit: self.limit + 1 }
    }

    /// Returns the rows that a search reads. A search itself returns where the next page begins.
    pub(super) fn search_request(&self) -> PageRequest {
        PageRequest { after: self.after.clone(), limit: self.limit }
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

impl App {
    /// Checks the query of an API list, and returns the page that it asks for.
    pub(super) fn listing(
        &self,
        operation: Operation,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Listing, Error> {
        let mut filters = self.document.check_query(operation, query).map_err(Error::Validation)?;
        let limit = filters.remove("limit").and_then(|limit| limit.parse().ok()).unwrap_or(DEFAULT_LIMIT);
        let token = filters.remove("page_token");
        let listing = Listing { filters, limit, ..Listing::new(operation.as_str(), &caller.visibility.account_id) };
        let Some(token) = token else { return Ok(listing) };
        let cursor = self.cursor(&listing, &token).ok_or(Error::InvalidPageToken)?;
        // The token contains the filters: repeating them is fine, but other filters would be another list.
        if listing.filters.iter().any(|(name, text)| cursor.filters.get(name) != Some(text)) {
            return Err(Error::InvalidPageToken);
        }
        Ok(Listing { after: Some(cursor.after), filters: cursor.filters, ..listing })
    }

    /// Returns the page of the token; `None` if the token is unknown or expired, or belongs to another list or other filters.
    pub(super) fn at_token(&self, listing: Listing, token: Option<&str>) -> Option<Listing> {
        let Some(token) = token else { return Some(listing) };
        let cursor = self.cursor(&listing, token).filter(|cursor| cursor.filters == listing.filters)?;
        Some(Listing { after: Some(cursor.after), ..listing })
    }

    fn cursor(&self, listing: &Listing, token: &str) -> Option<Cursor> {
        self.tokens.read(listing.name, &listing.owner_id, token, self.clock.steady())
    }

    /// Returns the page with the rows that were read for [`Listing::request`].
    pub(super) fn page<T>(&self, listing: Listing, mut rows: Vec<T>, key: impl Fn(&T) -> PageKey) -> Page<T> {
        let limit = listing.limit as usize;
        let is_last = rows.len() <= limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| !is_last).map(key);
        self.found_page(listing, SearchPage { rows, next })
    }

    /// Returns the page of a search. The search result contains the key where the next page continues.
    pub(super) fn found_page<T>(&self, listing: Listing, found: SearchPage<T>) -> Page<T> {
        let next_page = found.next.map(|after| {
            let cursor = Cursor { filters: listing.filters, after };
            self.tokens.write(listing.name, &listing.owner_id, cursor, self.clock.steady())
        });
        Page { items: found.rows, next_page }
    }
}
