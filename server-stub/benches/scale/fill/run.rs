//! Fills one table after the other in either database, and shows progress.

use std::io::Write;
use std::time::Instant;

use super::rows::{TABLES, Table, rows_of_all};
use super::{postgres, sqlite};
use crate::database::Database;
use crate::population::Population;

/// Progress, printed after each tenth.
pub(super) struct Progress<'o, W> {
    out: &'o mut W,
    began: Instant,
    total: u64,
    done: u64,
    told: u64,
}

impl<W: Write> Progress<'_, W> {
    /// Adds `rows` written rows.
    pub(super) fn add(&mut self, table: &Table, rows: u64) -> anyhow::Result<()> {
        self.done += rows;
        let tenths = self.done * 10 / self.total;
        if tenths > self.told {
            self.told = tenths;
            let seconds = self.began.elapsed().as_secs();
            writeln!(self.out, "  {} of {} rows, {seconds} s, at {}", self.done, self.total, table.name)?;
        }
        Ok(())
    }
}

/// Writes all rows, and lets the database update its statistics, as it does over time by itself.
pub(crate) async fn fill(database: &Database, population: &Population, out: &mut impl Write) -> anyhow::Result<()> {
    let total = rows_of_all(population);
    writeln!(out, "filling a database for {} articles and leads: {total} rows", population.size)?;
    let began = Instant::now();
    let mut progress = Progress { out, began, total, done: 0, told: 0 };
    match database {
        Database::Sqlite(_) => sqlite::fill(&database.path(), &TABLES, population, &mut progress)?,
        Database::Postgres(schema) => postgres::fill(&schema.address(), &TABLES, population, &mut progress).await?,
    }
    writeln!(out, "  filled in {} s", began.elapsed().as_secs())?;
    Ok(())
}
