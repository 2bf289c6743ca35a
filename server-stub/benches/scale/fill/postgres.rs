//! Writes rows into a schema with `COPY`.

use std::fmt::Write as _;
use std::io::Write;

use bytes::Bytes;
use futures::SinkExt as _;
use tokio_postgres::{Client, NoTls};

use super::rows::{Table, Value};
use super::run::Progress;
use crate::population::Population;

/// Rows of one `COPY`.
const STRETCH: u64 = 10_000;
/// Bytes sent at a time.
const BUFFER: usize = 256 * 1024;

/// Writes all rows.
pub(super) async fn fill<W: Write>(
    address: &str,
    tables: &[Table],
    population: &Population,
    progress: &mut Progress<'_, W>,
) -> anyhow::Result<()> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
    let work = async {
        client.batch_execute("SET synchronous_commit = off").await?;
        // The rows refer to each other correctly. Only a superuser may skip the check.
        if client.batch_execute("SET session_replication_role = replica").await.is_err() {
            writeln!(std::io::stderr(), "  without a superuser each reference is checked, which takes longer")?;
        }
        for table in tables {
            let rows = table.rows(population);
            for first in (0..rows).step_by(usize::try_from(STRETCH)?) {
                let end = rows.min(first + STRETCH);
                copy(&client, table, population, first..end).await?;
                progress.add(table, end - first)?;
            }
            // Autovacuum would do the same later.
            client.batch_execute(&format!("VACUUM (ANALYZE) {}", table.name)).await?;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        ended = connection => { ended?; anyhow::bail!("the connection ended") },
        done = work => done,
    }
}

async fn copy(
    client: &Client,
    table: &Table,
    population: &Population,
    numbers: std::ops::Range<u64>,
) -> anyhow::Result<()> {
    let sink = client.copy_in::<_, Bytes>(&format!("COPY {} ({}) FROM STDIN", table.name, table.columns)).await?;
    let mut sink = std::pin::pin!(sink);
    let mut text = String::with_capacity(BUFFER + BUFFER / 4);
    for number in numbers {
        let row = (table.row)(population, number);
        for (place, value) in row.iter().enumerate() {
            if place > 0 {
                text.push('\t');
            }
            push(&mut text, value)?;
        }
        text.push('\n');
        if text.len() >= BUFFER {
            sink.send(Bytes::from(std::mem::take(&mut text))).await?;
        }
    }
    sink.send(Bytes::from(text)).await?;
    sink.finish().await?;
    Ok(())
}

/// Appends a value in the text format of `COPY`.
fn push(text: &mut String, value: &Value) -> std::fmt::Result {
    match value {
        Value::Null => text.push_str("\\N"),
        Value::Integer(number) => write!(text, "{number}")?,
        Value::Text(value) => {
            for character in value.chars() {
                match character {
                    '\\' => text.push_str("\\\\"),
                    '\n' => text.push_str("\\n"),
                    '\r' => text.push_str("\\r"),
                    '\t' => text.push_str("\\t"),
                    other => text.push(other),
                }
            }
        }
        Value::Bytes(bytes) => {
            text.push_str("\\\\x");
            for byte in bytes {
                write!(text, "{byte:02x}")?;
            }
        }
    }
    Ok(())
}
