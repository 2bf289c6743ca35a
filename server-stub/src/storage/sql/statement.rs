//! The text of a statement for each database. Texts are fixed at compile time.

/// One statement in the SQL of both databases. Parameters are `$1`, `$2`, … in both.
#[derive(Debug, Clone, Copy)]
pub(in crate::storage) struct Statement<'s> {
    pub(in crate::storage) sqlite: &'s str,
    pub(in crate::storage) postgres: &'s str,
}

/// A text that both databases understand.
impl<'s> From<&'s str> for Statement<'s> {
    fn from(sql: &'s str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// A statement for many lists of values in few round trips.
#[derive(Debug)]
pub(in crate::storage) struct BatchStatement {
    /// SQLite runs this once for each list: `$1` is the first value.
    pub(in crate::storage) sqlite_each: &'static str,
    /// PostgreSQL runs this once: `$1` is an array with the first value of each list. A query returns the number of the
    /// list as its first column, from 1, as `WITH ORDINALITY` counts. An update that reports which lists changed a row
    /// returns only this number.
    pub(in crate::storage) postgres_all: &'static str,
}

/// A `SELECT` that locks its rows in PostgreSQL: `locking!("SELECT …"; "FOR UPDATE")`. SQLite needs no lock, because only one
/// transaction writes at a time. The pieces before the semicolon are joined like those of [`concat!`].
macro_rules! locking {
    ($($piece:expr),+; $lock:literal) => {
        $crate::storage::sql::Statement { sqlite: concat!($($piece),+), postgres: concat!($($piece),+, " ", $lock) }
    };
}
pub(in crate::storage) use locking;
