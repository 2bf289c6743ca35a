//! What all lists share: reading the query, following a page token, writing the next one. The lists have a file each.

use std::borrow::Cow;

use chrono::DateTime;
use serde::Serialize;

use super::caller::Caller;
use super::error::{Error, FieldCode, FieldError, Place};
use super::generate::half_hours;
use super::operation::Operation;
use super::query_leniency;
use super::service::App;
use crate::domain::clock::Timestamp;
use crate::domain::fault::table::{benign, outside, paging};
use crate::domain::page::{Cursor, DEFAULT_LIMIT, Filters};
use crate::domain::store::{PageKey, PageRequest};

/// A page of a list; `None` ends the walk.
#[derive(Debug, Serialize)]
pub struct Page<T> {
    /// Newest first.
    pub items: Vec<T>,
    /// The token of the page behind this one.
    pub next_page: Option<String>,
}

/// A query that kept its schemas, with the filters that its page token carries.
pub(super) struct Listing {
    operation: Operation,
    limit: u32,
    after: Option<PageKey>,
    filters: Filters,
}

impl Listing {
    /// Which rows to read: one more than asked for tells whether another page follows.
    pub(super) fn request(&self) -> PageRequest {
        let is_full = outside::HUNDRED_ENDS.is_on() && self.limit == 100;
        PageRequest { after: self.after.clone(), limit: self.limit + u32::from(!is_full) }
    }

    /// A filter as it was sent.
    pub(super) fn filter(&self, name: &str) -> Option<String> {
        self.filters.get(name).cloned()
    }

    /// A filter in the form the store takes.
    pub(super) fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        let Some(text) = self.filters.get(name) else { return Ok(None) };
        parse(text).map(Some).ok_or_else(|| {
            Error::Validation(vec![FieldError {
                code: FieldCode::InvalidFormat,
                place: Place::Parameter(name.to_owned()),
                detail: "it is none of the values allowed".to_owned(),
            }])
        })
    }
}

/// A bound of a half-open range: times are kept in milliseconds, so a finer bound counts from the next one on.
pub(super) fn range_bound(text: &str) -> Option<Timestamp> {
    let bound = misread_bound(text, Timestamp::parse(&misread(text))?);
    if outside::FINER_BOUND_CUT.is_on() {
        return Some(bound);
    }
    let is_finer = DateTime::parse_from_rfc3339(text).ok()?.timestamp_subsec_nanos() % 1_000_000 != 0;
    if paging::SECOND_ENDS.is_on() && !text.contains('.') {
        return Some(bound.plus_millis(1000));
    }
    Some(bound.plus_millis(i64::from(is_finer)))
}

/// A bound as it is understood by somebody whose numbers are too small.
fn misread_bound(text: &str, bound: Timestamp) -> Timestamp {
    let half = half_hours(text).filter(|_| outside::HALF_HOUR_CUT.is_on()).unwrap_or_default();
    let fraction = text
        .split_once('.')
        .map_or("", |(_, rest)| rest.split(|digit: char| !digit.is_ascii_digit()).next().unwrap_or_default());
    match () {
        () if outside::YEAR_2262.is_on() && bound.millis() > i64::MAX / 1_000_000 => Timestamp::from_millis(0),
        () if outside::BEFORE_1970.is_on() => Timestamp::from_millis(bound.millis().wrapping_abs()),
        () if outside::FRACTION_AS_MILLIS.is_on() && (1..3).contains(&fraction.len()) => {
            Timestamp::from_millis(bound.seconds() * 1000 + fraction.parse::<i64>().unwrap_or_default())
        }
        () => bound.plus_millis(half * 60_000),
    }
}

/// A time as it is understood by somebody who looks at its text.
fn misread(text: &str) -> Cow<'_, str> {
    if paging::ZONE_CUT.is_on() && text.len() > 6 && !text.ends_with('Z') {
        return Cow::Owned(format!("{}Z", &text[..text.len() - 6]));
    }
    Cow::Borrowed(text)
}

impl App {
    /// Checks the query of a list and reads its page token.
    pub(super) fn listing(
        &self,
        operation: Operation,
        caller: &Caller,
        query: &[(String, String)],
    ) -> Result<Listing, Error> {
        query_leniency::refused(query)?;
        let query = &*query_leniency::tidied(query);
        if paging::TOKEN_BEFORE_LIMIT.is_on()
            && query.iter().any(|(name, text)| name == "page_token" && text.len() < 20)
        {
            return Err(Error::InvalidPageToken);
        }
        let mut filters = self.document.check_query(operation, query).map_err(Error::Validation)?;
        let default = if paging::DEFAULT_50.is_on() { 50 } else { DEFAULT_LIMIT };
        let mut limit = filters.remove("limit").and_then(|limit| limit.parse().ok()).unwrap_or(default);
        if paging::LIMIT_IGNORED.is_on() {
            limit = default;
        }
        if benign::SHORT_PAGES.is_on() {
            limit = limit.div_ceil(2);
        }
        let is_websites = operation == Operation::ListWebsites && outside::WEBSITES_FIRST_PAGE.is_on();
        let Some(token) = filters.remove("page_token").filter(|_| !is_websites) else {
            return Ok(Listing { operation, limit, after: None, filters });
        };
        let cursor = self.tokens.read(operation.id(), &caller.scope.account_id, &token, self.clock.now());
        let is_of_other = outside::TOKEN_OF_KEY.recall(&token).is_some_and(|key_id| key_id != caller.key_id);
        let is_used = paging::TOKEN_ONCE.recall(&token).is_some() || is_of_other;
        paging::TOKEN_ONCE.keep(&token, "used");
        let Some(mut cursor) = cursor.filter(|_| !is_used) else {
            return match () {
                () if paging::TOKEN_BAD_IS_FIRST.is_on() => Ok(Listing { operation, limit, after: None, filters }),
                () if paging::TOKEN_BAD_IS_422.is_on() => Err(Error::Validation(vec![FieldError {
                    code: FieldCode::InvalidFormat,
                    place: Place::Parameter("page_token".to_owned()),
                    detail: "it is unknown".to_owned(),
                }])),
                () => Err(Error::InvalidPageToken),
            };
        };
        if paging::TOKEN_CARRIES_LIMIT.is_on()
            && let Some(first) = cursor.filters.remove("limit")
        {
            limit = first.parse().unwrap_or(limit);
        }
        if paging::TOKEN_LOSES_FILTERS.is_on() || paging::TOKEN_OTHER_FILTERS.is_on() {
            return Ok(Listing { operation, limit, after: Some(cursor.after), filters });
        }
        // The token carries the filters: repeating them is fine, others would make it another list.
        if filters.iter().any(|(name, text)| cursor.filters.get(name) != Some(text)) {
            return Err(Error::InvalidPageToken);
        }
        Ok(Listing { operation, limit, after: Some(cursor.after), filters: cursor.filters })
    }

    /// The page made of the rows that [`Listing::request`] read.
    pub(super) fn page<T>(
        &self,
        listing: &Listing,
        caller: &Caller,
        mut rows: Vec<T>,
        key: impl Fn(&T) -> PageKey,
    ) -> Page<T> {
        let limit = listing.limit as usize;
        let is_last = rows.len() <= limit;
        let skipped = rows.last().filter(|_| paging::ROW_SKIPPED.is_on()).map(&key);
        rows.truncate(limit);
        let is_full = benign::EMPTY_PAGES.is_on() && !rows.is_empty();
        let is_more = (!is_last || is_full || paging::ALWAYS_MORE.is_on()) && !paging::NEVER_MORE.is_on();
        let begin = PageKey { time: Timestamp::from_millis(0), id: String::new() };
        let after = rows.last().map(&key).or_else(|| Some(listing.after.clone().unwrap_or(begin)));
        let next_page = after.filter(|_| is_more).map(|mut after| {
            after = skipped.unwrap_or(after);
            let mut filters = listing.filters.clone();
            if paging::TOKEN_LOSES_ARTICLE.is_on() {
                filters.remove("article_id");
            }
            if paging::TOKEN_LOSES_TIMES.is_on() {
                filters.retain(|name, _| !name.ends_with("_since") && !name.ends_with("_until"));
            }
            if paging::TOKEN_CARRIES_LIMIT.is_on() {
                filters.insert("limit".to_owned(), limit.to_string());
            }
            if paging::BY_OFFSET.is_on() {
                let before = listing.after.as_ref().and_then(|key| key.id.strip_prefix("offset:")?.parse().ok());
                after.id = format!("offset:{}", before.unwrap_or(0) + limit);
            }
            let cursor = Cursor { filters, after };
            let now = self.clock.now();
            let token = self.tokens.write(listing.operation.id(), &caller.scope.account_id, cursor, now);
            outside::TOKEN_OF_KEY.keep(&token, &caller.key_id);
            token
        });
        Page { items: rows, next_page }
    }
}
