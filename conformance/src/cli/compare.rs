//! `compare`: runs the same cases against two servers, one after the other, and shows the differences.

use std::io::Write as _;

use super::arguments::{CompareArguments, TargetArguments};
use super::config::Configured;
use super::exit::Exit;
use super::run::nothing_selected;
use super::signals::{self, Ended};
use super::target::Chosen;
use super::{diff, environment, target};
use crate::contract::ContentGeneration;
use crate::report::{Conclusion, RecordedReport, Report, ReportDiff, Status};
use crate::runner::{Event, Interrupt, Selection, SetUpError, Settings, Suite};

/// Message when a signal ends a run.
const INTERRUPTED: &str = "interrupted: removing the registered endpoints; press Ctrl-C again to stop at once";

/// Compares two servers. The error is one sentence.
pub(super) async fn compare(arguments: &CompareArguments) -> Result<Exit, SetUpError> {
    let (left, right) = (named(&arguments.left).await?, named(&arguments.right).await?);
    let settings = Settings {
        profile: arguments.plan.profile.unwrap_or(left.configured.profile.min(right.configured.profile)),
        selection: Selection { only: arguments.plan.only.clone(), skip: arguments.plan.skip.clone() },
        cases: arguments.cases,
        seed: arguments.plan.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
        max_time: arguments.max_time,
        ..Settings::default()
    };
    if let Some(sentence) = nothing_selected(&settings.selection, settings.profile) {
        return Err(SetUpError::Configuration(sentence));
    }
    let Some(left) = run(&left, &settings, arguments.no_progress).await? else {
        return Ok(Exit::Interrupted);
    };
    let Some(right) = run(&right, &settings, arguments.no_progress).await? else {
        return Ok(Exit::Interrupted);
    };
    let diff = ReportDiff::new(&RecordedReport::of(&left), &RecordedReport::of(&right));
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(std::io::stdout().lock(), "{}", diff::shown(&diff, arguments.format));
    let both = [&left, &right];
    Ok(match () {
        () if fails_only_on_the_right(&diff) => Exit::NotConformant,
        () if both.iter().any(|report| report.summary.errors > 0) => Exit::SetUpFailed,
        () if both.iter().any(|report| report.conclusion == Conclusion::NothingRan) => Exit::NothingRan,
        () => Exit::Conformant,
    })
}

/// Returns true if a requirement fails on the second server and not on the first. A set-up that failed decides nothing.
fn fails_only_on_the_right(diff: &ReportDiff) -> bool {
    diff.broke.iter().chain(&diff.changed).chain(&diff.new).any(|change| change.new == Some(Status::Failed))
}

/// Returns the server of an argument.
async fn named(argument: &str) -> Result<Chosen, SetUpError> {
    let is_url = argument.starts_with("http://") || argument.starts_with("https://");
    let mut arguments = TargetArguments { reference: argument == "reference", ..TargetArguments::default() };
    if is_url {
        arguments.base_url = Some(argument.to_owned());
    } else if !arguments.reference {
        arguments.config = Some(argument.into());
    }
    target::choose(&arguments).await
}

/// Runs the suite, without a list of known failures: what only one server fails is a difference. Returns `None` after an interrupt.
async fn run(chosen: &Chosen, settings: &Settings, no_progress: bool) -> Result<Option<Report>, SetUpError> {
    let terminal = environment::progress(no_progress);
    let (switch, interrupt) = Interrupt::new();
    let sink = |event: Event<'_>| terminal.take(&event);
    let Configured { target, about, .. } = &chosen.configured;
    let suite = Suite::new(ContentGeneration, target.clone()).with(Settings { interrupt, ..settings.clone() });
    Ok(match signals::awaited(suite.run(&sink), &switch, &terminal, INTERRUPTED).await? {
        Ended::Run { run, is_interrupted: false } => Some(Report::new(&run, about.clone())),
        Ended::Run { .. } | Ended::AtOnce => None,
    })
}
