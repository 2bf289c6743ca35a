//! The command line of `cargo trials mutants`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use rand::RngExt as _;

use super::build;
use super::mutation::{self, Mutation};
use super::report::{self, Row};
use super::trial::{Runs, Verdict};

/// Options of `cargo trials mutants`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Number of changes of the server.
    #[arg(long, default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    count: u32,
    /// Seed of the choice and of the suite [default: a new one]
    #[arg(long)]
    seed: Option<u64>,
    /// Number of cases of each requirement with random cases.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    cases: u32,
    /// Number of changes that are tried at the same time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    at_a_time: Option<u16>,
    /// Only the changes with these numbers, as the report lists them. Needs the seed of the report.
    #[arg(long, value_name = "NUMBER", requires = "seed")]
    only: Vec<u32>,
}

/// Changes the server, runs the suite for each change, and writes the report.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let seed = arguments.seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    say(&format!("seed {seed}\n"))?;
    let folder = root.join("target/mutants");
    let all = mutation::shuffled(root, seed)?;
    let total = all.len();
    // Some do not compile, and some overlap.
    let spare = arguments.count / 2 + 20;
    let wanted = usize::try_from(arguments.count + spare)?;
    let numbered: BTreeMap<u32, Mutation> = (1..).zip(all).take(wanted).collect();
    let built = build::build(root, &folder, &numbered)?;
    let chosen: Vec<u32> = if arguments.only.is_empty() {
        built.numbers.iter().copied().take(usize::try_from(arguments.count)?).collect()
    } else {
        arguments.only.clone()
    };
    ensure!(
        chosen.iter().all(|number| built.numbers.contains(number)),
        "a number of --only is not in the build; give the --seed and the --count of the report that lists it"
    );
    let reports = folder.join("reports");
    let runs = Runs { suite: &built.suite, folder: &reports, seed, cases: arguments.cases };
    if reports.exists() {
        std::fs::remove_dir_all(&reports)?;
    }
    let (baseline, reached) = runs.unchanged()?;
    let Verdict::Passed { undecided: open } = baseline else {
        anyhow::bail!(
            "the suite fails without a change: {baseline:?}; see {}, or choose another --seed",
            reports.join("none").display()
        )
    };
    let at_a_time =
        arguments.at_a_time.map_or_else(|| std::thread::available_parallelism().map_or(2, usize::from), usize::from);
    let (chosen, unreached): (Vec<u32>, Vec<u32>) = chosen.into_iter().partition(|number| reached.contains(number));
    say(&format!("the suite executes the code of {} of {} changes\n", chosen.len(), chosen.len() + unreached.len()))?;
    let mut rows = tried(&runs, &numbered, &chosen, &open, at_a_time)?;
    let row = |number: u32| Row { number, name: numbered[&number].name.clone(), verdict: Verdict::NotReached };
    rows.extend(unreached.into_iter().map(row));
    rows.sort_by_key(|row| row.number);
    let text = report::written(&rows, seed, arguments.cases, total);
    let file = folder.join("report.md");
    std::fs::write(&file, &text).with_context(|| format!("{} cannot be written", file.display()))?;
    say(&format!("{}\nwritten to {}\n", report::summary(&rows), file.display()))
}

/// Runs the suite for each of the changes, many at a time.
fn tried(
    runs: &Runs<'_>,
    numbered: &BTreeMap<u32, Mutation>,
    chosen: &[u32],
    open: &[String],
    at_a_time: usize,
) -> Result<Vec<Row>> {
    let bar = ProgressBar::new(chosen.len().try_into()?);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} changes, {elapsed}, {eta} left")?);
    let (waiting, done) = (Mutex::new(chosen.iter().rev().copied().collect::<Vec<_>>()), Mutex::new(Vec::new()));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let work = || -> Result<()> {
        while let Some(number) = next() {
            let mut verdict = runs.changed(number)?;
            if let Verdict::Passed { undecided } = &mut verdict {
                undecided.retain(|id| !open.contains(id));
            }
            let row = Row { number, name: numbered[&number].name.clone(), verdict };
            done.lock().unwrap_or_else(PoisonError::into_inner).push(row);
            bar.inc(1);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..at_a_time).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    bar.finish_and_clear();
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn say(text: &str) -> Result<()> {
    std::io::stdout().lock().write_all(text.as_bytes()).context("the output is closed")
}
