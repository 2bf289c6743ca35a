//! The command line of the bench.

use clap::{Parser, ValueEnum};

use crate::database::Engine;

/// What to measure and how often.
#[derive(Debug, Parser)]
#[command(name = "durable", disable_version_flag = true)]
pub(crate) struct Arguments {
    /// Only this measurement; all of them unless given.
    #[arg(long, value_name = "NAME")]
    only: Option<Measurement>,
    /// Only on this database; on both unless given.
    #[arg(long, value_name = "NAME")]
    store: Option<Engine>,
    /// How often the two sides alternate; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=99))]
    pub(crate) rounds: u32,
    /// How long a transaction stays open, for `old-transaction`.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) minutes: u32,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    pub(crate) bench: bool,
}

/// What can be measured.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Measurement {
    /// Submissions in group commits beside one transaction for each.
    Enqueue,
    /// Jobs from submission to article.
    Jobs,
    /// Hooks beside a bare client.
    Delivery,
    /// Hooks for many endpoints beside hooks for one.
    Endpoints,
    /// A receiver beside one that never answers.
    Isolation,
    /// Deliveries beside a transaction that stays open.
    OldTransaction,
    /// Callers that wait for jobs.
    Waiting,
}

impl Arguments {
    /// Engines to measure, in order.
    pub(crate) fn engines(&self) -> Vec<Engine> {
        self.store.map_or_else(|| Engine::value_variants().to_vec(), |store| vec![store])
    }

    /// Measurements to run, in order.
    pub(crate) fn measurements(&self) -> Vec<Measurement> {
        self.only.map_or_else(|| Measurement::value_variants().to_vec(), |only| vec![only])
    }
}

impl Measurement {
    /// Heading above the figures.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Enqueue => "a job and its post queued, 64 callers",
            Self::Jobs => "jobs that need no writing, from submission to the end, 64 callers",
            Self::Delivery => "5,000 hooks to one receiver, 64 at a time",
            Self::Endpoints => "5,000 hooks, for 5,000 endpoints and for one, 64 at a time",
            Self::Isolation => "a receiver beside a silent one, 20 leads a second",
            Self::OldTransaction => "deliveries claimed and recorded beside a transaction that stays open",
            Self::Waiting => "5,000 callers that wait for jobs, each for its own, over 10 seconds",
        }
    }
}
