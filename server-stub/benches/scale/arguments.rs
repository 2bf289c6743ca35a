//! The command line of the bench.

use clap::{Parser, ValueEnum};

use crate::database::Engine;

/// How large the databases are and how often they are measured.
#[derive(Debug, Parser)]
#[command(name = "scale", disable_version_flag = true)]
pub(crate) struct Arguments {
    /// Where to measure.
    #[arg(long, default_value = "both", value_name = "NAME")]
    store: Stores,
    /// Articles of the small database; it has as many leads, and five times as many attempts.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10_000..=10_000_000))]
    pub(crate) small: u64,
    /// The same of the large one.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(10_000..=10_000_000))]
    pub(crate) large: u64,
    /// How often the two alternate; the median counts.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=99))]
    pub(crate) rounds: u32,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    pub(crate) bench: bool,
}

/// A database engine, or both.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Stores {
    Sqlite,
    Postgres,
    Both,
}

impl Arguments {
    /// Engines to measure, in order.
    pub(crate) fn engines(&self) -> Vec<Engine> {
        match self.store {
            Stores::Sqlite => vec![Engine::Sqlite],
            Stores::Postgres => vec![Engine::Postgres],
            Stores::Both => vec![Engine::Sqlite, Engine::Postgres],
        }
    }
}
