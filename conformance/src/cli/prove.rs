//! `prove`: shows the kill matrix in the terminal, as JSON and as a page.
//!
//! The library's module `prove` runs the trials.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::arguments::ProveArguments;
use super::config;
use super::exit::Exit;
use crate::prove::{Matrix, News, Origin, Plan, Verdict, page, run};
use crate::report::{on_one_line, visible};
use crate::runner::{Selection, SetUpError};
use crate::spec::Profile;

/// Proves the suite.
///
/// # Errors
/// Returns an error if there is no server to which faults can be added.
pub(super) fn prove(arguments: &ProveArguments) -> Result<Exit, SetUpError> {
    let (origin, profile) = origin(arguments)?;
    Ok(with(origin, profile, arguments))
}

fn origin(arguments: &ProveArguments) -> Result<(Origin, Profile), SetUpError> {
    match &arguments.config {
        Some(file) => {
            let configured = config::from_file(file)?;
            Ok((Origin::Running(Box::new(configured.target)), configured.profile))
        }
        #[cfg(feature = "reference")]
        None => Ok((Origin::Reference, Profile::Full)),
        #[cfg(not(feature = "reference"))]
        None => Err(SetUpError::Configuration(
            "this build has no reference server: name the configuration of a running server with --config FILE"
                .to_owned(),
        )),
    }
}

fn with(origin: Origin, profile: Profile, arguments: &ProveArguments) -> Exit {
    let mut plan = Plan {
        seed: arguments.seed,
        selection: Selection { only: arguments.only.clone(), skip: arguments.skip.clone() },
        is_full: arguments.full,
        healthy_seeds: arguments.healthy_seeds,
        jobs: usize::from(arguments.jobs),
        ..Plan::new(origin, profile)
    };
    for path in &arguments.resume {
        match read(path) {
            Ok(earlier) => plan = plan.resuming(earlier),
            Err(error) => {
                let error = on_one_line(&error.to_string());
                let _ = writeln!(io::stderr(), "error: {error}; give --resume a file that --json wrote");
                return Exit::Usage;
            }
        }
    }
    let mut output = io::stdout();
    // A closed pipe must not turn a verdict into a crash.
    let matrix = run(&plan, &mut |news, done, all| drop(tell(&mut output, &news, done, all)));
    if matrix.trials.is_empty() && matrix.healthy.is_empty() {
        let _ = writeln!(io::stderr(), "error: no fault matches --only; `prove` without it lists all of them");
        return Exit::Usage;
    }
    let _ = summary(&mut output, &matrix);
    let json = serde_json::to_string_pretty(&matrix).unwrap_or_default();
    for (path, text) in [(&arguments.json, json + "\n"), (&arguments.page, page(&matrix))] {
        if let Some(Err(error)) = path.as_deref().map(|path| write(path, &text)) {
            let _ = writeln!(io::stderr(), "error: {error}; choose another file");
            return Exit::Usage;
        }
    }
    if matrix.objections().is_empty() { Exit::Conformant } else { Exit::NotConformant }
}

fn read(path: &Path) -> io::Result<Matrix> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(named)?;
    serde_json::from_str(&text).map_err(|error| named(error.into()))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)
        .map_err(|error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
}

fn tell(output: &mut impl Write, news: &News<'_>, done: usize, all: usize) -> io::Result<()> {
    match news {
        News::Healthy(run) if run.failed.is_empty() => {
            writeln!(
                output,
                "{done:>4}/{all} {:12} the healthy server, seed {} ({:.1} s)",
                "passed", run.seed, run.seconds
            )
        }
        News::Healthy(run) => {
            writeln!(output, "{done:>4}/{all} {:12} the healthy server, seed {}", "BLAMED", run.seed)?;
            run.failed.iter().try_for_each(|line| writeln!(output, "          {}", visible(line)))
        }
        News::Tried(trial) => {
            let word = match trial.verdict {
                Verdict::Caught => "caught",
                Verdict::CaughtByOthers => "BY OTHERS",
                Verdict::Survived => "SURVIVED",
                Verdict::Skipped => "skipped",
                Verdict::Passed => "passed",
                Verdict::Blamed => "BLAMED",
                Verdict::Broken => "BROKEN",
            };
            let by = trial.caught_by.join(", ");
            writeln!(output, "{done:>4}/{all} {word:12} {:40} {by} ({:.1} s)", trial.name, trial.seconds)?;
            match &trial.remark {
                Some(remark) if !trial.verdict.is_good() || trial.verdict == Verdict::Skipped => {
                    visible(remark).lines().try_for_each(|line| writeln!(output, "          {line}"))
                }
                _ => Ok(()),
            }
        }
    }
}

fn summary(output: &mut impl Write, matrix: &Matrix) -> io::Result<()> {
    writeln!(output, "\n{:14} {:>8} {:>8} {:>8} {:>8}", "area", "all", "good", "skipped", "percent")?;
    for (name, area) in &matrix.areas {
        let percent = area.good * 100 / (area.all - area.skipped).max(1);
        writeln!(output, "{name:14} {:>8} {:>8} {:>8} {percent:>7}%", area.all, area.good, area.skipped)?;
    }
    let (faults, variants) = matrix.totals();
    writeln!(
        output,
        "\n{} of {} faults caught ({} skipped), {} of {} variants passed ({} skipped), {} healthy runs, seed {}, {:.0} s",
        faults.good,
        faults.all,
        faults.skipped,
        variants.good,
        variants.all,
        variants.skipped,
        matrix.healthy.len(),
        matrix.seed,
        matrix.seconds
    )?;
    matrix.objections().iter().try_for_each(|objection| writeln!(output, "  {}", visible(objection)))
}
