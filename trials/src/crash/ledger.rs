//! A small window into a store's tables, the same for both stores. What is looked up is in `state`.

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
    /// Whether there is a value.
    pub(super) const fn is_some(&self) -> bool {
        !matches!(self, Self::Null)
    }

    /// The text of a column that always has one.
    pub(super) fn text(&self) -> Result<String> {
        self.maybe_text()?.context("a column that must contain text is empty")
    }

    /// The text, if there is any.
    pub(super) fn maybe_text(&self) -> Result<Option<String>> {
        match self {
            Self::Null => Ok(None),
            Self::Text(text) => Ok(Some(text.clone())),
            other => bail!("{other:?} is not text"),
        }
    }

    /// The number of a column that always has one.
    pub(super) fn number(&self) -> Result<i64> {
        match self {
            Self::Number(number) => Ok(*number),
            other => bail!("{other:?} is not a number"),
        }
    }

    /// The bytes of a column that always has some.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.clone()),
            other => bail!("{other:?} is not bytes"),
        }
    }
}

/// Reads the tables of one store.
pub(super) trait Ledger {
    /// All rows of a query.
    fn rows(&mut self, query: &str) -> Result<Vec<Vec<Cell>>>;
    /// What the database's own check complains about.
    fn damage(&mut self) -> Result<Vec<String>>;
}
