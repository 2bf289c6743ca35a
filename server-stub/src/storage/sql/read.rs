//! Readers of rows with one column.

use serde::de::DeserializeOwned;

use crate::domain::clock::Timestamp;
use crate::domain::store::Result;

use super::Columns;

/// Reads text.
pub(in crate::storage) fn text(row: &mut Columns<'_>) -> Result<String> {
    row.text()
}

/// Reads a whole number.
pub(in crate::storage) fn number(row: &mut Columns<'_>) -> Result<i64> {
    row.number()
}

/// Reads a time.
pub(in crate::storage) fn time(row: &mut Columns<'_>) -> Result<Timestamp> {
    row.time()
}

/// Reads a time or NULL.
pub(in crate::storage) fn maybe_time(row: &mut Columns<'_>) -> Result<Option<Timestamp>> {
    row.maybe_time()
}

/// Reads JSON.
pub(in crate::storage) fn json<T: DeserializeOwned>(row: &mut Columns<'_>) -> Result<T> {
    row.json()
}

/// Reads exactly `LENGTH` bytes.
pub(in crate::storage) fn array<const LENGTH: usize>(row: &mut Columns<'_>) -> Result<[u8; LENGTH]> {
    row.array()
}
