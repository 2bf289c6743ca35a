//! `replay`: checks whether a saved failure still occurs.
//!
//! `report` defines the format of the file, `runner` repeats the failure.

use std::io::Write;
use std::path::Path;

use url::{Host, Url};

use super::arguments::{DEFAULT_CONFIGURATION, ReplayArguments, TargetArguments};
use super::exit::Exit;
use super::signals::{self, Ended};
use super::{environment, target};
use crate::contract::ContentGeneration;
use crate::report::{Report, RequirementReport, SavedFailure, Status, Terminal, on_one_line};
use crate::requirements::catalogue;
use crate::runner::{Event, Interrupt, Selection, SetUpError, Settings, Suite};

/// Message when a signal ends it.
const INTERRUPTED: &str = "interrupted: removing the registered endpoints; press Ctrl-C again to stop at once";

/// Repeats one saved failure. The error is one sentence.
pub(super) async fn replay(arguments: &ReplayArguments) -> Result<Exit, SetUpError> {
    let saved = SavedFailure::read(&arguments.file).map_err(|error| SetUpError::Configuration(error.to_string()))?;
    for id in [&saved.requirement, &saved.shown_by] {
        if !catalogue().iter().any(|requirement| requirement.id == id) {
            return Err(SetUpError::Configuration(format!(
                "{} contains `{}`, which is not a requirement of this suite: use suite {}, which wrote it",
                arguments.file.display(),
                on_one_line(id),
                on_one_line(&saved.suite_version)
            )));
        }
    }
    let mut chosen = target::choose(&named(&saved, &arguments.target)?).await?;
    let target = &mut chosen.configured.target;
    if target.account.website_id.is_none() && target.base_url == saved.target.base_url {
        target.account.website_id = Some(saved.target.website_id.clone());
    }
    let (switch, interrupt) = Interrupt::new();
    let settings = Settings {
        profile: saved.profile,
        selection: Selection { only: vec![saved.requirement.clone(), saved.shown_by.clone()], skip: Vec::new() },
        seed: saved.seed,
        replays: vec![saved.replay()],
        only_replays: true,
        max_time: Some(arguments.max_time),
        interrupt,
        ..Settings::default()
    };
    let base_url = on_one_line(&target.base_url);
    say(&format!(
        "Replaying {}, case {} of seed {}, against {base_url}",
        saved.requirement, saved.case_index, saved.seed
    ));
    let progress = environment::progress(arguments.no_progress);
    let sink = |event: Event<'_>| progress.take(&event);
    let running = Suite::new(ContentGeneration, target.clone()).with(settings).run(&sink);
    let ended = signals::awaited(running, &switch, &progress, INTERRUPTED).await?;
    let Ended::Run { run, is_interrupted } = ended else { return Ok(Exit::Interrupted) };
    let report = Report::new(&run, chosen.configured.about.clone());
    let Some(row) = report.requirements.iter().find(|row| row.id == saved.requirement) else {
        return Ok(Exit::NothingRan);
    };
    let colour = environment::has_colour(&std::io::stdout());
    say(&verdict(row, &Terminal::new(false, colour, Box::new(std::io::sink()))));
    Ok(match row.status {
        Status::Failed | Status::Warned | Status::Flaky | Status::Known => Exit::NotConformant,
        Status::Passed => Exit::Conformant,
        Status::Error => Exit::SetUpFailed,
        Status::Skipped | Status::Inconclusive if is_interrupted => Exit::Interrupted,
        Status::Skipped | Status::Inconclusive => Exit::NothingRan,
    })
}

/// Prints a line. A closed pipe must not turn a verdict into a crash.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Returns the server of the flags, otherwise the one that showed the failure. The file may be foreign, so it must not
/// decide where the keys of this machine are sent, nor which commands run.
fn named(saved: &SavedFailure, flags: &TargetArguments) -> Result<TargetArguments, SetUpError> {
    if flags.reference || flags.base_url.is_some() || flags.config.is_some() {
        return Ok(flags.clone());
    }
    let told = target::parse(&saved.target.flag);
    let stays_here = told.base_url.as_deref().is_none_or(is_loopback);
    let is_usual = told.config.as_deref().is_none_or(|file| file == Path::new(DEFAULT_CONFIGURATION));
    if stays_here && is_usual {
        return Ok(told);
    }
    let flag = on_one_line(&saved.target.flag);
    Err(SetUpError::Configuration(format!(
        "the failure was found with `{flag}`: add that to the command if the keys of this machine may be sent there"
    )))
}

fn is_loopback(url: &str) -> bool {
    let host = Url::parse(url).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    match host {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn verdict(row: &RequirementReport, terminal: &Terminal) -> String {
    let reason = on_one_line(row.reason.as_deref().unwrap_or_default());
    match row.status {
        Status::Failed | Status::Warned | Status::Known => format!("It still fails.\n{}", terminal.failure(row)),
        Status::Flaky => format!("It fails now and then.\n{}", terminal.failure(row)),
        Status::Passed => "It does not fail any more.".to_owned(),
        Status::Error => format!("It could not be repeated, because the set-up failed: {reason}"),
        Status::Skipped => format!("It could not be repeated: {reason}"),
        Status::Inconclusive => format!("It could not be decided: {reason}"),
    }
}
