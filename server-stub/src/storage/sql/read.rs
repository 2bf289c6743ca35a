//! Readers of rows with one column.

use serde::de::DeserializeOwned;

use crate::domain::clock::Timestamp;
use crate::domain::store::Result;

use super::Columns;

/// Text.
pub(in crate::storage) fn text(row: &mut Columns<'_>) -> Result<String> {
    row.text()
}

/// A whole number.
pub(in crate::storage) fn number(row: &mut Columns<'_>) -> Result<i64> {
    row.number()
}

/// A moment.
pub(in crate::storage) fn time(row: &mut Columns<'_>) -> Result<Timestamp> {
    row.time()
}

/// JSON.
pub(in crate::storage) fn json<T: DeserializeOwned>(row: &mut Columns<'_>) -> Result<T> {
    row.json()
}

/// Exactly so many bytes.
pub(in crate::storage) fn array<const LENGTH: usize>(row: &mut Columns<'_>) -> Result<[u8; LENGTH]> {
    row.array()
}
