//! The command line of the bench.

use clap::{Parser, ValueEnum};

use crate::database::Engine;

/// How large the account is and how often each page is asked for.
#[derive(Debug, Parser)]
#[command(name = "pages", disable_version_flag = true)]
pub(crate) struct Arguments {
    /// Where to measure.
    #[arg(long, default_value = "both", value_name = "NAME")]
    store: Stores,
    /// Articles of the account; it has as many leads.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=1_000_000))]
    pub(crate) articles: u64,
    /// Hook endpoints of the account: so many deliveries for each article and each lead.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=10))]
    pub(crate) endpoints: u64,
    /// How often each page is asked for.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..=10_000))]
    pub(crate) requests: u32,
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
