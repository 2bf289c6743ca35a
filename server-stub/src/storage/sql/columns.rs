//! Reads a row's columns into domain types, in the order of the `SELECT`. The code that reads a kind of row is next to its
//! statements.

use bytes::Bytes;
use serde::de::DeserializeOwned;

use crate::domain::clock::Timestamp;
use crate::domain::store::{Error, Result};

use super::Value;

/// A row of a database.
pub(in crate::storage) trait Row {
    /// Returns the value of the column with that number, from 0.
    fn value(&self, column: usize) -> Result<Value<'_>>;
}

/// Reads the columns of a row one after the other.
pub(in crate::storage) struct Columns<'r> {
    row: &'r dyn Row,
    next: usize,
}

impl<'r> Columns<'r> {
    /// Starts at the first column.
    pub(in crate::storage) fn new(row: &'r dyn Row) -> Self {
        Self { row, next: 0 }
    }

    fn next(&mut self) -> Result<Value<'r>> {
        let value = self.row.value(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// Returns the error for an unexpected value in the last column read.
    fn unreadable(&self) -> Error {
        Error::Broken(format!("the stored column {} of a row cannot be read", self.next).into())
    }

    /// Reads text or NULL without copying.
    pub(in crate::storage) fn maybe_str(&mut self) -> Result<Option<&'r str>> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err(self.unreadable()),
        }
    }

    /// Reads text without copying.
    pub(in crate::storage) fn str(&mut self) -> Result<&'r str> {
        self.maybe_str()?.ok_or_else(|| self.unreadable())
    }

    /// Reads text.
    pub(in crate::storage) fn text(&mut self) -> Result<String> {
        self.str().map(str::to_owned)
    }

    /// Reads text or NULL.
    pub(in crate::storage) fn maybe_text(&mut self) -> Result<Option<String>> {
        Ok(self.maybe_str()?.map(str::to_owned))
    }

    /// Reads a whole number or NULL.
    pub(in crate::storage) fn maybe_number<T: TryFrom<i64>>(&mut self) -> Result<Option<T>> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Integer(number) => T::try_from(number).map(Some).map_err(|_| self.unreadable()),
            _ => Err(self.unreadable()),
        }
    }

    /// Reads a whole number.
    pub(in crate::storage) fn number<T: TryFrom<i64>>(&mut self) -> Result<T> {
        self.maybe_number()?.ok_or_else(|| self.unreadable())
    }

    /// Reads a boolean.
    pub(in crate::storage) fn flag(&mut self) -> Result<bool> {
        self.number::<i64>().map(|number| number != 0)
    }

    /// Reads a time.
    pub(in crate::storage) fn time(&mut self) -> Result<Timestamp> {
        self.number().map(Timestamp::from_millis)
    }

    /// Reads a time or NULL.
    pub(in crate::storage) fn maybe_time(&mut self) -> Result<Option<Timestamp>> {
        Ok(self.maybe_number()?.map(Timestamp::from_millis))
    }

    /// Reads JSON or NULL.
    pub(in crate::storage) fn maybe_json<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        let Some(text) = self.maybe_str()? else { return Ok(None) };
        serde_json::from_str(text).map(Some).map_err(|_| self.unreadable())
    }

    /// Reads JSON.
    pub(in crate::storage) fn json<T: DeserializeOwned>(&mut self) -> Result<T> {
        self.maybe_json()?.ok_or_else(|| self.unreadable())
    }

    /// Reads one of a closed set of names, or NULL.
    pub(in crate::storage) fn maybe_named<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(name) = self.maybe_str()? else { return Ok(None) };
        parse(name).map(Some).ok_or_else(|| self.unreadable())
    }

    /// Reads one of a closed set of names.
    pub(in crate::storage) fn named<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        self.maybe_named(parse)?.ok_or_else(|| self.unreadable())
    }

    /// Reads bytes or text into a buffer that can be shared.
    pub(in crate::storage) fn bytes(&mut self) -> Result<Bytes> {
        match self.next()? {
            Value::Bytes(bytes) => Ok(Bytes::copy_from_slice(bytes)),
            Value::Text(text) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            _ => Err(self.unreadable()),
        }
    }

    /// Reads exactly `LENGTH` bytes.
    pub(in crate::storage) fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH]> {
        match self.next()? {
            Value::Bytes(bytes) => bytes.try_into().map_err(|_| self.unreadable()),
            _ => Err(self.unreadable()),
        }
    }
}
