//! `replay`: does a saved failure still fail?
//!
//! The file's shape is `report`'s, repeating is `runner`'s.

use std::io::{IsTerminal, Write};

use super::arguments::{ReplayArguments, TargetArguments};
use super::config;
use super::exit::Exit;
use super::target;
use crate::contract::ContentGeneration;
use crate::report::{Report, RequirementReport, SavedFailure, Status, Terminal, on_one_line};
use crate::requirements::catalogue;
use crate::runner::{Selection, SetUpError, Settings, Suite};

/// Repeats one saved failure; the error is one sentence.
pub(super) async fn replay(arguments: &ReplayArguments) -> Result<Exit, SetUpError> {
    let saved = SavedFailure::read(&arguments.file).map_err(|error| SetUpError::Configuration(error.to_string()))?;
    for id in [&saved.requirement, &saved.shown_by] {
        if !catalogue().iter().any(|requirement| requirement.id == id) {
            return Err(SetUpError::Configuration(format!(
                "{} names `{}`, which is no requirement of this suite: use suite {}, which wrote it",
                arguments.file.display(),
                on_one_line(id),
                on_one_line(&saved.suite_version)
            )));
        }
    }
    let mut chosen = target::choose(&named(&saved, &arguments.target)).await?;
    let target = &mut chosen.configured.target;
    if target.account.website_id.is_none() && target.base_url == saved.target.base_url {
        target.account.website_id = Some(saved.target.website_id.clone());
    }
    let settings = Settings {
        profile: saved.profile,
        selection: Selection { only: vec![saved.requirement.clone(), saved.shown_by.clone()], skip: Vec::new() },
        seed: saved.seed,
        replays: vec![saved.replay()],
        only_replays: true,
        ..Settings::default()
    };
    let mut output = std::io::stdout().lock();
    let mut say = |line: &str| {
        // A closed pipe must not turn a verdict into a crash.
        let _ = writeln!(output, "{line}");
    };
    say(&format!(
        "Replaying {}, case {} of seed {}, against {}",
        saved.requirement, saved.case_index, saved.seed, target.base_url
    ));
    let run = Suite::new(ContentGeneration, target.clone()).with(settings).run(&|_| {}).await?;
    let report = Report::new(&run, chosen.configured.about.clone());
    let Some(row) = report.requirements.iter().find(|row| row.id == saved.requirement) else {
        return Ok(Exit::NothingRan);
    };
    let colour = std::io::stdout().is_terminal() && config::environment("NO_COLOR").is_none();
    say(&verdict(row, &Terminal::new(false, colour, Box::new(std::io::sink()))));
    Ok(match row.status {
        Status::Failed | Status::Warned | Status::Flaky | Status::Known => Exit::NotConformant,
        Status::Passed => Exit::Conformant,
        Status::Error => Exit::SetUpFailed,
        Status::Skipped | Status::Inconclusive => Exit::NothingRan,
    })
}

/// The server that the flags name, else the one that showed the failure.
fn named(saved: &SavedFailure, flags: &TargetArguments) -> TargetArguments {
    let is_named = flags.reference || flags.base_url.is_some() || flags.config.is_some();
    if is_named { flags.clone() } else { target::parse(&saved.target.flag) }
}

fn verdict(row: &RequirementReport, terminal: &Terminal) -> String {
    let reason = on_one_line(row.reason.as_deref().unwrap_or_default());
    match row.status {
        Status::Failed | Status::Warned | Status::Known => format!("It still fails.\n{}", terminal.failure(row)),
        Status::Flaky => format!("It fails now and then.\n{}", terminal.failure(row)),
        Status::Passed => "It does not fail any more.".to_owned(),
        Status::Error => format!("It could not be repeated, the set-up broke: {reason}"),
        Status::Skipped => format!("It could not be repeated: {reason}"),
        Status::Inconclusive => format!("It could not be decided: {reason}"),
    }
}
