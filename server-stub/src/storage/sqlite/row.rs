//! Reading columns into the domain's types. Each kind of row is read beside its statements.

use std::fmt;

use rusqlite::{Row, RowIndex};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::account::WebsiteStatus;
use crate::domain::clock::Timestamp;
use crate::domain::store::Result;

use super::error::unreadable;

/// A column by its name or, where it is read for every request, by its number.
pub(super) trait Column: RowIndex + Copy + fmt::Display {}

impl Column for &'static str {}
impl Column for usize {}

/// A column with a time.
pub(super) fn time(row: &Row<'_>, column: impl Column) -> Result<Timestamp> {
    Ok(Timestamp::from_millis(row.get(column)?))
}

/// A column with a time or NULL.
pub(super) fn maybe_time(row: &Row<'_>, column: impl Column) -> Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

/// A column with JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: impl Column) -> Result<T> {
    let text = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
    serde_json::from_str(text).map_err(|_| unreadable(column))
}

/// A column with JSON or NULL.
pub(super) fn maybe_json<T: DeserializeOwned>(row: &Row<'_>, column: impl Column) -> Result<Option<T>> {
    let text = row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    text.map(|text| serde_json::from_str(text).map_err(|_| unreadable(column))).transpose()
}

/// A column with one of a closed set of names.
pub(super) fn named<T>(row: &Row<'_>, column: impl Column, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
    let text = row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?;
    parse(text).ok_or_else(|| unreadable(column))
}

/// The JSON of a domain value.
pub(super) fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("the domain's values have text keys and serialize without failing")
}

/// The stored name of a website's state.
pub(super) const fn website_status_name(status: WebsiteStatus) -> &'static str {
    match status {
        WebsiteStatus::Active => "active",
        WebsiteStatus::Paused => "paused",
        WebsiteStatus::Archived => "archived",
    }
}

/// The website state with that name.
pub(super) fn parse_website_status(name: &str) -> Option<WebsiteStatus> {
    [WebsiteStatus::Active, WebsiteStatus::Paused, WebsiteStatus::Archived]
        .into_iter()
        .find(|status| website_status_name(*status) == name)
}
