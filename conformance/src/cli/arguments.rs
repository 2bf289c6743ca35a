//! The flags of every command.
//!
//! What they mean for a run is worked out in `config`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::spec::Profile;

/// Checks whether a server keeps the contract of the Content Generation Service API.
#[derive(Debug, Parser)]
#[command(name = "contentgen-conformance", version, about, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 conformant, 1 not conformant, 2 usage or configuration, 3 target unreachable or set-up failed, 4 nothing ran.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the suite against a server.
    Run(Box<RunArguments>),
    /// List every requirement.
    List(ListArguments),
    /// Explain one requirement: its clause, source, level and what it needs.
    Explain {
        /// The requirement's id, as `list` prints it.
        id: String,
    },
    /// Print a JSON Schema: of the configuration file or of report.json.
    Schema {
        /// Which schema.
        #[arg(value_enum, default_value_t = SchemaOf::Configuration)]
        of: SchemaOf,
    },
}

/// What `schema` prints.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum SchemaOf {
    /// conformance.toml
    Configuration,
    /// report.json
    Report,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Only requirements that run in this profile.
    #[arg(long)]
    pub(super) profile: Option<Profile>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("where").required(true).args(["reference", "base_url", "config"]))]
pub(super) struct RunArguments {
    /// Start the built-in reference server on a loopback port and run against it.
    #[arg(long)]
    pub(super) reference: bool,
    /// Base URL of the server; the key comes from `CONTENTGEN_API_KEY`, the website from `CONTENTGEN_WEBSITE_ID` or
    /// the first active one that the server lists.
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Read the target from this file.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// What is demanded: `core` or `full`.
    #[arg(long)]
    pub(super) profile: Option<Profile>,
    /// Run only requirements whose id matches: a prefix of whole words, or a pattern with `*`.
    #[arg(long, value_name = "PATTERN")]
    pub(super) only: Vec<String>,
    /// Leave out requirements whose id matches.
    #[arg(long, value_name = "PATTERN")]
    pub(super) skip: Vec<String>,
    /// Cases of a searched requirement.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) cases: u32,
    /// Seed of every case; a random one is chosen and printed when it is left out.
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Cases in flight.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(super) jobs: u16,
    /// Stop beginning cases after this long, such as `60s` or `5m`.
    #[arg(long, value_parser = duration)]
    pub(super) max_time: Option<Duration>,
    /// Write report.json and junit.xml into this folder.
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    pub(super) report_dir: PathBuf,
    /// Show no live progress, only plain lines.
    #[arg(long)]
    pub(super) no_progress: bool,
}

/// Reads `500ms`, `15s`, `5m` or plain seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is no duration: write it like 60s or 5m"))?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number.saturating_mul(60))),
        unit => Err(format!("`{unit}` is no unit of time: use ms, s or m")),
    }
}
