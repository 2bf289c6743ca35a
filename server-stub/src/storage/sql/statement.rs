//! The text of a statement as each database reads it. Nothing rewrites a text while the program runs.

/// One statement in the SQL of both databases. Parameters are `$1`, `$2`, … in both.
#[derive(Debug, Clone, Copy)]
pub(in crate::storage) struct Statement<'s> {
    pub(in crate::storage) sqlite: &'s str,
    pub(in crate::storage) postgres: &'s str,
}

/// A text that both databases read alike.
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
    /// PostgreSQL runs this once: `$1` is an array with the first value of each list. What returns rows returns the number of
    /// the list first, from 1, as `WITH ORDINALITY` counts. For an update that tells which lists changed a row, that number is all.
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
