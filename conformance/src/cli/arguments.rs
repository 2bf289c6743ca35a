//! The flags of every command.
//!
//! `config` derives the settings of a run.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::report::Archives;
use crate::runner::{DEFAULT_CASES, MAX_RETRIES, Shard};
use crate::spec::Profile;

/// Default file name of the configuration that `init` writes.
pub(super) const DEFAULT_CONFIGURATION: &str = "conformance.toml";

/// Checks whether a server conforms to the Content Generation Service API.
#[derive(Debug, Parser)]
#[command(name = "contentgen-conformance", version, about, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 conformant, 1 not conformant, 2 usage or configuration, 3 target unreachable or set-up failed, 4 no requirement was decided, \
130 interrupted.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the suite against a server.
    Run(Box<RunArguments>),
    /// List every requirement.
    List(ListArguments),
    /// Explain one requirement: its clause, source, level and what it needs.
    Explain {
        /// Id of the requirement, as `list` prints it; the beginning of an id lists every requirement below it.
        id: String,
    },
    /// Repeat a failure that a run saved; the exit code is 1 when it still fails, 0 when it does not.
    Replay(ReplayArguments),
    /// Run the same cases against two servers, and show the faults of the second one and the differences that the document allows.
    #[command(after_help = COMPARE_EXIT_CODES)]
    Compare(CompareArguments),
    /// Check a certificate that `run --certificate` wrote against its report, the document and the requirements of this suite.
    #[command(after_help = VERIFY_EXIT_CODES)]
    VerifyCertificate(VerifyArguments),
    /// Work with reports that runs wrote.
    #[command(subcommand)]
    Report(ReportCommand),
    /// Ask what the suite needs to know about a server and write conformance.toml.
    Init(InitArguments),
    /// Receive webhooks, and show whether their signatures are valid.
    Listen(ListenArguments),
    /// Check a receiver of webhooks: send it right and wrong events, and show what it does with them.
    #[command(after_help = RECEIVER_EXIT_CODES)]
    Receiver(ReceiverArguments),
    /// Test the suite itself: it must fail servers with one fault each, and pass correct variants.
    Prove(ProveArguments),
    /// Print a JSON Schema: of the configuration file or of report.json.
    Schema(SchemaArguments),
}

const RECEIVER_EXIT_CODES: &str = "\
Exit codes: 0 the receiver keeps every rule that was decided, 1 it breaks one, 2 usage or configuration, 3 it cannot be checked, 4 no rule was \
decided, 130 interrupted.";

#[derive(Debug, Args)]
pub(super) struct ReceiverArguments {
    /// URL of the receiver, with its path; reports show it. It gets events about made-up leads, articles and jobs.
    #[arg(long, value_name = "URL")]
    pub(super) url: String,
    /// Environment variable with the webhook secret of the receiver.
    #[arg(long, value_name = "NAME", default_value = "CONTENTGEN_HOOK_SECRET")]
    pub(super) secret_env: String,
    /// Command that prints how many effects an event had, 0 for an unknown one; `{event}` is its id. Without it, effects are not checked.
    #[arg(long, value_name = "COMMAND")]
    pub(super) effects: Option<String>,
    /// Time for the receiver to answer, from 1s to 5m.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "15s")]
    pub(super) answer_within: Duration,
    #[command(flatten)]
    pub(super) plan: PlanArguments,
    /// Let warnings fail the run: broken recommendations and flaky failures count as failures.
    #[arg(long)]
    pub(super) strict: bool,
    /// Write the reports into this folder.
    #[arg(long, value_name = "DIR", default_value = "target/receiver")]
    pub(super) report_dir: PathBuf,
    /// Show no live progress, only plain lines.
    #[arg(long)]
    pub(super) no_progress: bool,
}

const VERIFY_EXIT_CODES: &str = "\
Exit codes: 0 the certificate is valid, 1 it does not fit the report, the document or the requirements, 2 usage or a file that is not a certificate.";

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// The certificate.
    pub(super) certificate: PathBuf,
    /// The report of the run: its report.json, or its report folder.
    #[arg(long, value_name = "REPORT")]
    pub(super) report: PathBuf,
    /// The OpenAPI document; by default the one in this program.
    #[arg(long, value_name = "FILE")]
    pub(super) document: Option<PathBuf>,
}

const COMPARE_EXIT_CODES: &str = "\
Exit codes: 0 nothing fails only on the second server, 1 a requirement fails on the second server and not on the first, 2 usage or \
configuration, 3 a server is unreachable or its set-up failed, 4 no requirement was decided on one of them, 130 interrupted.";

#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// The first server: a configuration file, a base URL, or `reference` for the built-in reference server. With a URL, the keys come
    /// from the environment, as in `run --base-url`.
    pub(super) left: String,
    /// The second server.
    pub(super) right: String,
    #[command(flatten)]
    pub(super) plan: PlanArguments,
    /// Number of cases of each requirement with random cases.
    #[arg(long, default_value_t = DEFAULT_CASES, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) cases: u32,
    /// End each run after this time, such as `60s` or `5m`.
    #[arg(long, value_parser = duration)]
    pub(super) max_time: Option<Duration>,
    /// Output format: a comment on a pull request, text, or JSON.
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,
    /// Show no live progress, only plain lines.
    #[arg(long)]
    pub(super) no_progress: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// Show what changed between two runs.
    #[command(after_help = DIFF_EXIT_CODES)]
    Diff(DiffArguments),
}

const DIFF_EXIT_CODES: &str = "\
Exit codes: 0 nothing broke, 1 a requirement fails that did not fail in the earlier run, 2 usage or a file that is not a report.";

#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// The earlier run: its report.json, or its report folder.
    pub(super) old: PathBuf,
    /// The later run.
    pub(super) new: PathBuf,
    /// Output format: a comment on a pull request, text, or JSON.
    #[arg(long, value_enum, default_value_t = DiffFormat::Markdown)]
    pub(super) format: DiffFormat,
    /// Exit with 0 even if something broke.
    #[arg(long)]
    pub(super) exit_zero: bool,
}

/// Output format of `report diff`.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum DiffFormat {
    /// A comment of at most 64 KiB
    Markdown,
    /// A line for each change
    Text,
    /// JSON
    Json,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Schema to print.
    #[arg(value_enum, default_value_t = SchemaOf::Configuration)]
    pub(super) of: SchemaOf,
    /// The same as `schema report`.
    #[arg(long, conflicts_with = "of")]
    pub(super) report: bool,
}

/// Schema that `schema` prints.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum SchemaOf {
    /// conformance.toml
    Configuration,
    /// report.json
    Report,
    /// The file that `run --certificate` writes
    Certificate,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Only requirements that run in this profile.
    #[arg(long)]
    pub(super) profile: Option<Profile>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(super) json: bool,
    /// Print the share of the document's normative sentences that requirements quote, and the sentences that none quotes.
    #[arg(long, conflicts_with_all = ["profile", "json"])]
    pub(super) coverage: bool,
}

/// Selection of the server.
#[derive(Debug, Clone, Default, Args)]
#[group(id = "where", multiple = false)]
pub(super) struct TargetArguments {
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
}

/// Selection of the requirements, and the seed of their cases.
#[derive(Debug, Args)]
pub(super) struct PlanArguments {
    /// Profile to check: `core` or `full`.
    #[arg(long)]
    pub(super) profile: Option<Profile>,
    /// Run only requirements whose id matches: a prefix of whole words, or a pattern with `*`.
    #[arg(long, value_name = "PATTERN")]
    pub(super) only: Vec<String>,
    /// Leave out requirements whose id matches.
    #[arg(long, value_name = "PATTERN")]
    pub(super) skip: Vec<String>,
    /// Seed of all random cases; by default a random one, which is printed.
    #[arg(long)]
    pub(super) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// A file from `failures/` in a run's --report-dir.
    pub(super) file: PathBuf,
    /// Give up after this time, such as 90s or 15m; a case that has not failed by then is not decided.
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "10m")]
    pub(super) max_time: Duration,
    /// Show no live progress, only plain lines.
    #[arg(long)]
    pub(super) no_progress: bool,
    /// Another server than the one that the file names.
    #[command(flatten)]
    pub(super) target: TargetArguments,
}

#[derive(Debug, Args)]
pub(super) struct InitArguments {
    /// The file to write.
    #[arg(default_value = DEFAULT_CONFIGURATION)]
    pub(super) file: PathBuf,
    /// Ask nothing: use all defaults.
    #[arg(long)]
    pub(super) yes: bool,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Debug, Args)]
pub(super) struct ListenArguments {
    /// Port to listen on; 0 chooses a free port.
    #[arg(long, default_value_t = 9000)]
    pub(super) port: u16,
    /// Address to listen on; with any other than the default, other machines can connect.
    #[arg(long, default_value = "127.0.0.1")]
    pub(super) host: IpAddr,
    /// Environment variable with the webhook secret.
    #[arg(long, value_name = "NAME")]
    pub(super) secret_env: Option<String>,
    /// HTTP status of the responses.
    #[arg(long, default_value_t = 204, value_parser = clap::value_parser!(u16).range(200..=599))]
    pub(super) answer: u16,
    /// End after this many webhooks.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) count: Option<u64>,
}

#[derive(Debug, Args)]
#[command(mut_group("where", |group| group.required(true)))]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
    #[command(flatten)]
    pub(super) plan: PlanArguments,
    /// Number of cases of each requirement with random cases.
    #[arg(long, default_value_t = DEFAULT_CASES, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) cases: u32,
    /// Cases of a requirement that run at the same time. With 1, no other requirement starts while one waits for an article.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub(super) jobs: u16,
    /// End the run after this time, such as `60s` or `5m`; failures until then are still repeated, for at most 10 s.
    #[arg(long, value_parser = duration)]
    pub(super) max_time: Option<Duration>,
    /// Effect of a flaky failure: one that does not occur again when its case is repeated.
    #[arg(long, value_enum, default_value_t = OnFlaky::Warn, value_name = "warn|fail")]
    pub(super) flaky: OnFlaky,
    /// How often a failed case is repeated, at most 5 times: it counts if it fails every time. With 0 it counts at once.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_RETRIES)))]
    pub(super) retries: u32,
    /// End the run at the first requirement that fails.
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// Run only what failed in the last run with this --report-dir.
    #[arg(long, conflicts_with_all = ["only", "skip", "shard"])]
    pub(super) failed_only: bool,
    /// Run only this part of the requirements, such as the first of three: 1/3.
    #[arg(long, value_name = "PART/PARTS")]
    pub(super) shard: Option<Shard>,
    /// Let warnings fail the run: broken recommendations and flaky failures count as failures.
    #[arg(long)]
    pub(super) strict: bool,
    /// Write the reports into this folder. Failures that an earlier run saved there are repeated first.
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    pub(super) report_dir: PathBuf,
    /// Write a certificate into this file if the server conforms: versions, hashes, requirement set and results by feature.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["only", "skip", "shard", "failed_only"])]
    pub(super) certificate: Option<PathBuf>,
    /// Write HTTP archives into har/: of failed requirements, of all (for passed ones the first exchanges of the first case), or none.
    #[arg(long, value_enum, default_value_t = Har::Failed, value_name = "failed|all|none")]
    pub(super) har: Har,
    /// Print failures and warnings as annotations of a CI; `auto` does so if `GITHUB_ACTIONS` is `true`.
    #[arg(long, value_enum, default_value_t = Annotations::Auto, value_name = "auto|github|none")]
    pub(super) annotations: Annotations,
    /// Show no live progress, only plain lines.
    #[arg(long)]
    pub(super) no_progress: bool,
}

/// Values of `--har`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Har {
    /// Of failed requirements.
    Failed,
    /// Of all requirements.
    All,
    /// No archives.
    None,
}

impl From<Har> for Archives {
    fn from(har: Har) -> Self {
        match har {
            Har::Failed => Self::Failed,
            Har::All => Self::All,
            Har::None => Self::None,
        }
    }
}

/// Values of `--annotations`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Annotations {
    /// For the CI that the environment variables show.
    Auto,
    /// Commands of GitHub Actions.
    Github,
    /// No annotations.
    None,
}

/// Values of `--flaky`.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum OnFlaky {
    /// Report a warning.
    Warn,
    /// Fail the run.
    Fail,
}

#[derive(Debug, Args)]
pub(super) struct ProveArguments {
    /// Add the faults to the running server of this configuration file, instead of the reference server.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Seed of every case.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Try only faults whose name matches: a prefix of whole words, or a pattern with `*`.
    #[arg(long, value_name = "PATTERN")]
    pub(super) only: Vec<String>,
    /// Leave out faults whose name matches.
    #[arg(long, value_name = "PATTERN")]
    pub(super) skip: Vec<String>,
    /// Run every requirement against every fault, not only those that must notice it.
    #[arg(long)]
    pub(super) full: bool,
    /// Number of seeds with which the healthy server is run.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub(super) healthy_seeds: u32,
    /// Number of faults that are tried at the same time.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) jobs: u16,
    /// Skip the faults whose results are in this file, which --json wrote with the same seed.
    #[arg(long, value_name = "FILE")]
    pub(super) resume: Vec<PathBuf>,
    /// Write the matrix as JSON.
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the matrix as a Markdown page.
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
}

/// Parses `500ms`, `15s`, `5m` or plain seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is not a duration: write it like 60s or 5m"))?;
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(number)),
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number.saturating_mul(60))),
        unit => Err(format!("`{unit}` is not a unit of time: use ms, s or m")),
    }
}
