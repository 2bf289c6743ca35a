//! Speed of the durable core: group commits, jobs from queue to article, webhooks beside a bare client, the effect of a silent receiver on
//! others, and the cost of callers that wait. Both sides of a ratio are measured in one run on one machine. The bench does not check
//! responses; the tests do.

mod arguments;
#[path = "../database/mod.rs"]
mod database;
mod delivery;
mod enqueue;
mod isolation;
mod jobs;
mod old_transaction;
mod queues;
#[path = "../rate/stopwatch.rs"]
mod rate;
mod receiver;
mod records;
mod single_postgres;
mod single_sqlite;
mod verdict;
mod waiting;

use std::io::Write as _;

use anyhow::Context as _;
use clap::Parser as _;

use arguments::{Arguments, Measurement};

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    // Only `cargo bench` measures; `cargo test --benches` runs this program too.
    if !arguments.bench {
        return Ok(());
    }
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    runtime.block_on(measure(&arguments))
}

async fn measure(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    for engine in arguments.engines() {
        if !engine.is_there() {
            writeln!(out, "{engine}: skipped, CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database")?;
            continue;
        }
        for measurement in arguments.measurements() {
            writeln!(out, "{engine}, {}, {} rounds", measurement.title(), arguments.rounds)?;
            match measurement {
                Measurement::Enqueue => enqueue::measure(engine, arguments.rounds, &mut out).await?,
                Measurement::Jobs => jobs::measure(engine, arguments.rounds, &mut out).await?,
                Measurement::Delivery => delivery::measure(engine, arguments.rounds, &mut out).await?,
                Measurement::Endpoints => delivery::measure_many_endpoints(engine, arguments.rounds, &mut out).await?,
                Measurement::Isolation => isolation::measure(engine, arguments.rounds, &mut out).await?,
                Measurement::OldTransaction => {
                    old_transaction::measure(engine, arguments.minutes, &mut out).await?;
                }
                Measurement::Waiting => waiting::measure(engine, arguments.rounds, &mut out).await?,
            }
        }
    }
    Ok(())
}
