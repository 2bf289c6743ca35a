//! Growth of the cost of claims, lists, captures and submissions from a small database to a large one. Both contain rows of the same shapes
//! and are measured in turn by the same operations. Fails if an operation clearly grows too much.

mod arguments;
#[path = "../database/mod.rs"]
mod database;
mod fill;
mod growth;
mod operations;
mod population;
mod shapes;

use std::io::Write;

use anyhow::Context as _;
use clap::Parser as _;

use arguments::Arguments;
use database::{Database, Engine};
use growth::Growth;
use operations::{Operation, Subject};
use population::Population;

/// Accounts that own the rows.
const ACCOUNTS: usize = 50;

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    // Only `cargo bench` measures; `cargo test --benches` runs this program too.
    if !arguments.bench {
        return Ok(());
    }
    tokio::runtime::Runtime::new().context("no runtime")?.block_on(measure_all(&arguments))
}

async fn measure_all(arguments: &Arguments) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let mut missed = Vec::new();
    for engine in arguments.engines() {
        if engine.is_there() {
            let found = measure(engine, arguments, &mut out).await?;
            missed.extend(found.into_iter().map(|name| format!("{name} on {engine}")));
        } else {
            writeln!(out, "{engine}: skipped, CONTENTGEN_TEST_POSTGRES_URL names no PostgreSQL database")?;
        }
    }
    anyhow::ensure!(missed.is_empty(), "these grow clearly more than {} times: {}", growth::GOAL, missed.join(", "));
    Ok(())
}

/// Measures one engine and prints. Returns the operations that clearly miss the goal.
async fn measure(engine: Engine, arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Vec<&'static str>> {
    let (_small, mut small) = prepare(engine, arguments.small, out).await?;
    let (_large, mut large) = prepare(engine, arguments.large, out).await?;
    let mut growths: Vec<_> = Operation::ALL.map(|operation| (operation, Growth::default())).into();
    // The first round warms caches and prepares statements, so it does not count.
    for round in 0..=arguments.rounds {
        for (operation, growth) in &mut growths {
            let (of_small, of_large) = if round % 2 == 0 {
                let of_small = small.micros(*operation).await?;
                (of_small, large.micros(*operation).await?)
            } else {
                let of_large = large.micros(*operation).await?;
                (small.micros(*operation).await?, of_large)
            };
            if round > 0 {
                growth.add(of_small, of_large);
            }
        }
    }
    let (from, to) = (arguments.small, arguments.large);
    writeln!(out, "{engine}, from {from} to {to} articles and leads, {} rounds, µs each", arguments.rounds)?;
    for (operation, growth) in &growths {
        growth.print(out, operation.name())?;
    }
    Ok(growths.iter().filter(|(_, growth)| growth.is_clearly_missed()).map(|(operation, _)| operation.name()).collect())
}

/// Creates a database of that size, and the subject that measures it.
async fn prepare(engine: Engine, size: u64, out: &mut impl Write) -> anyhow::Result<(Database, Subject)> {
    let (database, store) = Database::new(engine).await?;
    let population = Population::new(&store, size, ACCOUNTS, 1).await?;
    // The database must have no other connections while it is filled.
    drop(store);
    fill::fill(&database, &population, out).await?;
    let articles = database.count("articles").await?;
    anyhow::ensure!(articles == size, "{articles} articles of {size}");
    let store = database.open().await?;
    Ok((database, Subject::new(store, population)))
}
