//! `compare`: runs the same cases against two servers, one after the other, and shows the differences.

use std::io::{IsTerminal as _, Write as _};

use super::arguments::{CompareArguments, TargetArguments};
use super::config::Configured;
use super::exit::Exit;
use super::run::nothing_selected;
use super::signals::{self, Ended};
use super::target::Chosen;
use super::{diff, environment, target};
use crate::contract::ContentGeneration;
use crate::report::{RecordedReport, Report, ReportDiff, Terminal};
use crate::runner::{Event, Interrupt, Selection, SetUpError, Settings, Suite};

/// Message when a signal ends a run.
const INTERRUPTED: &str = "interrupted: removing the registered endpoints; press Ctrl-C again to stop at once";

/// Compares two servers. The error is one sentence.
pub(super) async fn compare(arguments: &CompareArguments) -> Result<Exit, SetUpError> {
    let (left, right) = (choose(&arguments.left).await?, choose(&arguments.right).await?);
    let settings = Settings {
        profile: arguments.profile.unwrap_or(left.configured.profile.min(right.configured.profile)),
        selection: Selection { only: arguments.only.clone(), skip: arguments.skip.clone() },
        cases: arguments.cases,
        seed: arguments.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
        max_time: arguments.max_time,
        ..Settings::default()
    };
    if let Some(sentence) = nothing_selected(&settings.selection, settings.profile) {
        return Err(SetUpError::Configuration(sentence));
    }
    let Some(left) = run(&left, &settings, arguments.no_progress).await? else { return Ok(Exit::Interrupted) };
    let Some(right) = run(&right, &settings, arguments.no_progress).await? else { return Ok(Exit::Interrupted) };
    let diff = ReportDiff::new(&RecordedReport::of(&left), &RecordedReport::of(&right));
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(std::io::stdout().lock(), "{}", diff::shown(&diff, arguments.format));
    let ends = [Exit::from(left.conclusion), Exit::from(right.conclusion)];
    Ok(match () {
        () if diff.is_worse() => Exit::NotConformant,
        () if ends.contains(&Exit::SetUpFailed) => Exit::SetUpFailed,
        () if ends.contains(&Exit::NothingRan) => Exit::NothingRan,
        () => Exit::Conformant,
    })
}

/// Returns the server of an argument.
async fn choose(named: &str) -> Result<Chosen, SetUpError> {
    let is_url = named.starts_with("http://") || named.starts_with("https://");
    let mut arguments = TargetArguments { reference: named == "reference", ..TargetArguments::default() };
    if is_url {
        arguments.base_url = Some(named.to_owned());
    } else if !arguments.reference {
        arguments.config = Some(named.into());
    }
    target::choose(&arguments).await
}

/// Runs the suite, without a list of known failures: what only one server fails is a difference. Returns `None` after an interrupt.
async fn run(chosen: &Chosen, settings: &Settings, no_progress: bool) -> Result<Option<Report>, SetUpError> {
    let errors = std::io::stderr();
    let colour = errors.is_terminal() && environment::value_of("NO_COLOR").is_none();
    let live = errors.is_terminal() && !no_progress;
    let terminal = Terminal::new(live, colour, Box::new(errors));
    let (switch, interrupt) = Interrupt::new();
    let sink = |event: Event<'_>| terminal.take(&event);
    let Configured { target, about, .. } = &chosen.configured;
    let suite = Suite::new(ContentGeneration, target.clone()).with(Settings { interrupt, ..settings.clone() });
    Ok(match signals::awaited(suite.run(&sink), &switch, &terminal, INTERRUPTED).await? {
        Ended::Run { run, is_interrupted: false } => Some(Report::new(&run, about.clone())),
        Ended::Run { .. } | Ended::AtOnce => None,
    })
}
