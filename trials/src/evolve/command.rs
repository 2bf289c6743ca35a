//! The command line of `cargo trials evolve`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use rand::RngExt as _;
use xtask::compatibility::Kind;

use super::report;
use super::trial::{self, Trial};
use super::verdict::Verdict;
use crate::program::Program;

/// The document, relative to the workspace root.
const DOCUMENT: &str = "openapi.yaml";

/// Options of `cargo trials evolve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Number of evolutions that the policy allows.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    evolutions: u64,
    /// Number of evolutions that the policy forbids.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    forbidden: u64,
    /// Seed of all random choices [default: a new one]
    #[arg(long)]
    seed: Option<u64>,
    /// Only the evolution with this number, such as 12, or f12 for a forbidden one; its document is written to `target/evolve`.
    #[arg(long, value_name = "NUMBER")]
    only: Option<String>,
    /// Number of evolutions that are tried at the same time [default: one for each core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=256))]
    at_a_time: Option<u16>,
    /// Try only the SDK: the command line is not built.
    #[arg(long)]
    sdk_only: bool,
    /// Cargo's profile for the command line.
    #[arg(long, default_value = "release")]
    profile: String,
}

/// Runs the trial; fails when anything did.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let seed = arguments.seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    let path = root.join(DOCUMENT);
    let document = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let program =
        (!arguments.sdk_only).then(|| Program::build(root, &arguments.profile, "contentgen", &[])).transpose()?;
    let (allowed, forbidden) = chosen(arguments)?;
    say(&format!("seed {seed}\n"))?;
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let at_a_time = arguments.at_a_time.map_or(cores, usize::from);
    let began = Instant::now();
    let trial = trial::on_this_thread(Trial::new(&document, seed, program))?;
    if let Some(code) = trial.baseline().into_iter().flatten().find(|code| **code != Some(0)) {
        bail!("a command ends with {code:?} on today's document, so there is nothing to compare with");
    }
    let mut whole = Verdict::default();
    let mut failed = 0;
    let bar = report::progress(allowed.len());
    let tried = trial.allowed(&allowed, at_a_time, |_| bar.inc(1))?;
    bar.finish_and_clear();
    for outcome in &tried {
        let evolution = &outcome.evolution;
        if !outcome.verdict.failures.is_empty() || arguments.only.is_some() {
            let changes: Vec<String> = evolution
                .changes
                .iter()
                .map(|change| format!("{} {} at {}", change.kind.name(), change.what, change.place))
                .collect();
            failed += usize::from(!outcome.verdict.failures.is_empty());
            let again = again(arguments, seed, &evolution.number.to_string());
            say(&report::failure(&format!("evolution {}", evolution.number), &changes, &outcome.verdict, &again))?;
            keep(root, &evolution.number.to_string(), &evolution.document)?;
        }
        whole.add(outcome.verdict.clone());
    }
    let mut breaks: BTreeMap<Kind, usize> = BTreeMap::new();
    for number in &forbidden {
        let judged = trial.forbidden(*number)?;
        let evolution = &judged.evolution;
        *breaks.entry(evolution.change.kind).or_default() += 1;
        if !judged.verdict.failures.is_empty() {
            failed += 1;
            let name = format!("f{}", evolution.number);
            let mut changes =
                vec![format!("{} {} at {}", evolution.change.kind, evolution.change.what, evolution.change.place)];
            changes
                .extend(evolution.allowed.iter().map(|change| format!("{} at {}", change.kind.name(), change.place)));
            say(&report::failure(
                &format!("forbidden evolution {name}"),
                &changes,
                &judged.verdict,
                &again(arguments, seed, &name),
            ))?;
            keep(root, &name, &evolution.document)?;
        }
        whole.add(judged.verdict);
    }
    let additions = trial::counts(&tried);
    say(&report::summary((tried.len(), forbidden.len()), &whole, &additions, &breaks, began.elapsed().as_secs_f64()))?;
    if failed > 0 {
        bail!("{failed} evolutions failed; each is listed above with the command that repeats it");
    }
    Ok(())
}

/// Returns the numbers of the evolutions to try: allowed ones, and forbidden ones.
fn chosen(arguments: &Arguments) -> Result<(Vec<u64>, Vec<u64>)> {
    let Some(only) = &arguments.only else {
        return Ok(((0..arguments.evolutions).collect(), (0..arguments.forbidden).collect()));
    };
    let number =
        |text: &str| text.parse().with_context(|| format!("--only {only}: give a number, or `f` and a number"));
    Ok(match only.strip_prefix('f') {
        Some(rest) => (Vec::new(), vec![number(rest)?]),
        None => (vec![number(only)?], Vec::new()),
    })
}

fn again(arguments: &Arguments, seed: u64, name: &str) -> String {
    let sdk_only = if arguments.sdk_only { " --sdk-only" } else { "" };
    format!("cargo trials evolve --seed {seed} --only {name} --profile {}{sdk_only}", arguments.profile)
}

/// Writes the evolved document to a file.
fn keep(root: &Path, name: &str, document: &serde_json::Value) -> Result<()> {
    let path = trial::evidence_path(root, name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, format!("{document:#}\n")).with_context(|| format!("{} cannot be written", path.display()))?;
    say(&format!("      its document: {}\n", path.display()))
}

fn say(text: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes())?;
    Ok(output.flush()?)
}
