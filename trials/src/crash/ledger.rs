//! Reads a store's tables, in the same way for both stores. For the queries see `state`.

use anyhow::{Context as _, Result, bail};

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    /// Returns true if there is a value.
    pub(super) const fn is_some(&self) -> bool {
        !matches!(self, Self::Null)
    }

    /// Returns the text of a column that is never null.
    pub(super) fn text(&self) -> Result<String> {
        self.maybe_text()?.context("a column that must contain text is empty")
    }

    /// Returns the text, or `None` if the column is null.
    pub(super) fn maybe_text(&self) -> Result<Option<String>> {
        match self {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text.clone())),
            other => bail!("{other:?} is not text"),
        }
    }

    /// Returns the number of a column that is never null.
    pub(super) fn number(&self) -> Result<i64> {
        match self {
            Self::Number(number) => Ok(*number),
            other => bail!("{other:?} is not a number"),
        }
    }

    /// Returns the bytes of a column that is never null.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.clone()),
            other => bail!("{other:?} is not bytes"),
        }
    }
}

/// Reads the tables of one store.
pub(super) trait Ledger {
    /// Returns all rows of a query.
    fn rows(&mut self, query: &str) -> Result<Vec<Vec<Cell>>>;
    /// Returns the problems that the database's own check reports.
    fn damage(&mut self) -> Result<Vec<String>>;
}
