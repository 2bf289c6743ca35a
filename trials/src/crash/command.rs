//! The command line of `cargo trials crash`: builds the program, runs the scenarios one after the other, and reports. For the scenarios see
//! `scenario`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rand::RngExt as _;

use super::database::StoreKind;
use super::outcome::Outcome;
use super::report::{self, Progress};
use super::scenario::{self, Plan, Scenario};
use crate::program::Program;

/// Options of `cargo trials crash`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The store to crash on.
    #[arg(long, value_enum, default_value = "sqlite")]
    store: StoreKind,
    /// How often `kill-loop` and `publishing` kill the server.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    kills: u32,
    /// Number of articles that `kill-loop` requests; `publishing` requests at least as many, the other scenarios fewer.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    jobs: u32,
    /// Seed of all random choices [default: a new one]
    #[arg(long)]
    seed: Option<u64>,
    /// Only this scenario; may be given several times [default: all that the store supports]
    #[arg(long, value_enum, value_name = "NAME")]
    only: Vec<Scenario>,
    /// Server processes on one database; two need PostgreSQL.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    processes: u8,
    /// A PostgreSQL server in which a separate database is created and dropped: postgres://user@host:port/database
    #[arg(long, env = "CONTENTGEN_TEST_POSTGRES_URL", value_name = "URL")]
    database_url: Option<String>,
    /// How long `database-away` makes the database unavailable, in seconds.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=600))]
    away: u64,
    /// Write the report as JSON.
    #[arg(long, value_name = "PATH")]
    report: Option<PathBuf>,
    /// Cargo's profile for the server.
    #[arg(long, default_value = "release")]
    profile: String,
}

/// Runs the scenarios; fails if one of them found something.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    if arguments.processes == 2 && arguments.store == StoreKind::Sqlite {
        bail!("SQLite serves one process; use --processes 1 or --store postgres");
    }
    if arguments.store == StoreKind::Postgres && arguments.database_url.is_none() {
        bail!("--store postgres needs a PostgreSQL server; set --database-url postgres://user@host:port/database");
    }
    let seed = arguments.seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    let plan = Plan {
        program: Program::with_failpoints(root, &arguments.profile)?,
        store: arguments.store,
        database_url: arguments.database_url.clone(),
        kills: arguments.kills,
        jobs: arguments.jobs,
        processes: usize::from(arguments.processes),
        away: std::time::Duration::from_secs(arguments.away),
        seed,
    };
    let again = repetition(arguments, seed);
    say(&format!("seed {seed}; repeat with: {again}\n"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let chosen = if arguments.only.is_empty() { Scenario::ALL.to_vec() } else { arguments.only.clone() };
    let mut outcomes = Vec::new();
    for scenario in chosen {
        let progress = Progress::start(scenario.as_str());
        let run = runtime.block_on(scenario::run(scenario, &plan, &progress));
        let outcome = run.with_context(|| format!("the scenario {} could not be run", scenario.as_str()))?;
        progress.finish();
        say(&report::lines(&outcome))?;
        outcomes.push(outcome);
    }
    say(&report::table(&outcomes))?;
    if let Some(path) = &arguments.report {
        let json = report::json(&outcomes, seed, &again)?;
        std::fs::write(path, json).with_context(|| format!("the report {} cannot be written", path.display()))?;
    }
    let failed: Vec<&str> = outcomes.iter().filter(|outcome| outcome.has_failed()).map(Outcome::name).collect();
    if !failed.is_empty() {
        bail!("{} failed; repeat with: {again}", failed.join(", "));
    }
    Ok(())
}

/// Returns the command that repeats this run.
fn repetition(arguments: &Arguments, seed: u64) -> String {
    let mut words = vec![
        "cargo trials crash".to_owned(),
        format!("--store {}", arguments.store.as_str()),
        format!("--kills {} --jobs {} --processes {}", arguments.kills, arguments.jobs, arguments.processes),
        format!("--away {} --profile {} --seed {seed}", arguments.away, arguments.profile),
    ];
    words.extend(arguments.only.iter().map(|scenario| format!("--only {}", scenario.as_str())));
    words.join(" ")
}

fn say(text: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}
