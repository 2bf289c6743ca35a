//! `run`: runs the suite and returns an exit code.
//!
//! `config` reads the configuration, `runner` runs, `report` shows the results.

use std::io::Write;

use super::arguments::{Annotations, Har, OnFlaky, RunArguments};
use super::config::Configured;
use super::exit::Exit;
use super::signals::{self, Ended};
use super::stopped_commands::StoppedCommands;
use super::{certificate, environment, explain, target};
use crate::contract::ContentGeneration;
use crate::report::{self, Report, SavedFailure};
use crate::requirements::catalogue;
use crate::runner::{Event, Flaky, Interrupt, Replay, Selection, SetUpError, Settings, Suite};
use crate::spec::Profile;

/// Message when a signal ends the run.
const INTERRUPTED: &str =
    "interrupted: removing the registered endpoints and writing the reports; press Ctrl-C again to stop at once";

/// Runs the suite. The error is one sentence. Ends `stopped` before it prints annotations, which are commands.
pub(super) async fn run(arguments: &RunArguments, stopped: &mut StoppedCommands) -> Result<Exit, SetUpError> {
    arguments.certificate.as_deref().map_or(Ok(()), certificate::check)?;
    let chosen = target::choose(&arguments.target).await?;
    Box::pin(against(chosen.configured, arguments, stopped)).await
}

async fn against(
    configured: Configured,
    arguments: &RunArguments,
    stopped: &mut StoppedCommands,
) -> Result<Exit, SetUpError> {
    let profile = arguments.plan.profile.unwrap_or(configured.profile);
    let (saved, remarks) = saved(arguments);
    let mut selection = Selection { only: arguments.plan.only.clone(), skip: arguments.plan.skip.clone() };
    if arguments.failed_only {
        selection.only = saved.iter().flat_map(|one| [one.requirement.clone(), one.shown_by.clone()]).collect();
        selection.only.sort();
        selection.only.dedup();
        if selection.only.is_empty() {
            let folder = arguments.report_dir.display();
            let _ = writeln!(
                std::io::stderr(),
                "error: {folder} contains no failures of an earlier run: run without --failed-only"
            );
            return Ok(Exit::NothingRan);
        }
    }
    let terminal = environment::progress(arguments.no_progress);
    if let Some(sentence) = nothing_selected(&selection, profile) {
        // The output may be closed; the exit code shows the result, too.
        let _ = writeln!(std::io::stderr(), "error: {sentence}");
        return Ok(Exit::NothingRan);
    }
    for pattern in selection.unmatched(&catalogue(), profile) {
        let meant = meant(pattern);
        terminal.note(&format!("--only `{pattern}` matches no requirement of the {profile} profile; {meant}"));
    }
    for remark in &remarks {
        terminal.note(remark);
    }
    let (switch, interrupt) = Interrupt::new();
    let settings = Settings {
        profile,
        selection,
        cases: arguments.cases,
        seed: arguments.plan.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
        jobs: usize::from(arguments.jobs),
        max_time: arguments.max_time,
        known_failures: configured.known_failures,
        replays: saved,
        only_replays: false,
        flaky: match arguments.flaky {
            OnFlaky::Warn if !arguments.strict => Flaky::Warn,
            OnFlaky::Warn | OnFlaky::Fail => Flaky::Fail,
        },
        shard: arguments.shard,
        retries: arguments.retries,
        shrinks: true,
        strict: arguments.strict,
        fail_fast: arguments.fail_fast,
        keep_exchanges: arguments.har == Har::All,
        interrupt,
    };
    let sink = |event: Event<'_>| terminal.take(&event);
    let running = Suite::new(ContentGeneration, configured.target).with(settings).run(&sink);
    let ended = signals::awaited(running, &switch, &terminal, INTERRUPTED).await?;
    let Ended::Run { run, is_interrupted } = ended else { return Ok(Exit::Interrupted) };
    let report = Report::new(&run, configured.about);
    let written = report::write(&run, &report, &arguments.report_dir, arguments.har.into());
    let mut output = std::io::stdout().lock();
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(output, "{}", terminal.summary(&report));
    stopped.end();
    let is_annotated = match arguments.annotations {
        Annotations::Github => true,
        Annotations::Auto => environment::is_on_github(),
        Annotations::None => false,
    };
    if is_annotated {
        let _ = write!(output, "{}", report::github_annotations(&report));
    }
    let files = written.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        SetUpError::Configuration(format!("{error}: {cause}; choose another --report-dir"))
    })?;
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let _ = writeln!(output, "{:>12} {}", "Reports", names.join(", "));
    if let Some(file) = &arguments.certificate {
        let certificate = certificate::write(&arguments.report_dir, file).unwrap_or_else(|error| error.to_string());
        let _ = writeln!(output, "{:>12} {certificate}", "Certificate");
    }
    Ok(match Exit::from(report.conclusion) {
        Exit::NotConformant => Exit::NotConformant,
        _ if is_interrupted => Exit::Interrupted,
        exit => exit,
    })
}

/// Returns a suggestion for a `pattern` that matches nothing.
fn meant(pattern: &str) -> String {
    if pattern.contains(',') {
        let each: Vec<String> = pattern.split(',').map(|one| format!("--only {}", one.trim())).collect();
        return format!("write {}", each.join(" "));
    }
    explain::meant(pattern)
}

/// Returns the reason why nothing can run, if the patterns select nothing.
pub(super) fn nothing_selected(selection: &Selection, profile: Profile) -> Option<String> {
    if !selection.select(catalogue(), profile).is_empty() {
        return None;
    }
    let quoted =
        |patterns: &[&str]| patterns.iter().map(|pattern| format!("`{pattern}`")).collect::<Vec<_>>().join(", ");
    let unmatched = selection.unmatched(&catalogue(), profile);
    let why = if unmatched.len() == selection.only.len() && !unmatched.is_empty() {
        format!("no requirement of the {profile} profile matches --only {}", quoted(&unmatched))
    } else {
        let skipped: Vec<&str> = selection.skip.iter().map(String::as_str).collect();
        format!("--skip {} leaves no requirement of the {profile} profile", quoted(&skipped))
    };
    let meant = unmatched.first().map(|pattern| format!(" ({})", meant(pattern))).unwrap_or_default();
    Some(format!("{why}{meant}: `contentgen-conformance list --profile {profile}` prints the ids"))
}

/// Returns the saved failures in the report folder, and remarks about those that cannot be repeated.
fn saved(arguments: &RunArguments) -> (Vec<Replay>, Vec<String>) {
    let (failures, mut remarks) = SavedFailure::read_all(&arguments.report_dir);
    let known: Vec<&str> = catalogue().iter().map(|requirement| requirement.id).collect();
    let is_known = |failure: &SavedFailure| {
        [&failure.requirement, &failure.shown_by].into_iter().all(|id| known.contains(&id.as_str()))
    };
    let (usable, other): (Vec<_>, Vec<_>) = failures.into_iter().partition(is_known);
    remarks.extend(other.iter().map(|failure| {
        format!("the saved failure of `{}` was not repeated: this suite has no such requirement", failure.requirement)
    }));
    (usable.iter().map(SavedFailure::replay).collect(), remarks)
}
