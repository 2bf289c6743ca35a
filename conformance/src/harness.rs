//! Shows every requirement as one line of `cargo test`, with the flags and filters of the standard test harness.
//!
//! One run serves all lines; `runner` executes it.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::check::{Requirement, Secrets};
use crate::contract::ContentGeneration;
use crate::report::visible;
use crate::requirements::catalogue;
use crate::runner::{Event, Outcome, RequirementResult, Selection, SetUpError, Settings, Suite, Target};

/// Result of a line: passed, ignored with a reason, or failed.
type Line = Result<Completion, Failed>;

/// The reason why the run could not begin, once known.
type Obstacle = Arc<Mutex<Option<String>>>;

/// The `main` of a test target with `harness = false`.
///
/// `start` returns the target; it is not called if the lines are only listed. Requirements that are skipped, not
/// decided or only warn are shown as ignored, with the reason.
pub fn main(settings: Settings, start: impl FnOnce() -> Result<Target, SetUpError>) -> ExitCode {
    let arguments = Arguments::from_args();
    let selected = settings.selection.select(catalogue(), settings.profile);
    let wanted: Vec<&Arc<Requirement>> =
        selected.iter().filter(|requirement| is_wanted(&arguments, requirement.id)).collect();
    let obstacle = Obstacle::default();
    let mut senders = BTreeMap::new();
    let mut trials = Vec::new();
    for requirement in &selected {
        let (sender, receiver) = channel();
        senders.insert(requirement.id, sender);
        let obstacle = Arc::clone(&obstacle);
        trials.push(Trial::ignorable_test(requirement.id, move || line(&receiver, &obstacle)));
    }
    if !arguments.list && !wanted.is_empty() {
        let only = wanted.iter().map(|requirement| requirement.id.to_owned()).collect();
        let settings = Settings { selection: Selection { only, skip: Vec::new() }, ..settings };
        match start() {
            Ok(target) => {
                thread::spawn(move || run(target, settings, &senders, &obstacle));
            }
            Err(error) => {
                keep(&obstacle, &error);
                drop(senders);
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns true if the filters select the id.
fn is_wanted(arguments: &Arguments, id: &str) -> bool {
    let fits = |filter: &String| if arguments.exact { id == filter } else { id.contains(filter.as_str()) };
    arguments.filter.as_ref().is_none_or(fits) && !arguments.skip.iter().any(fits)
}

/// Waits until the run has decided the requirement.
fn line(receiver: &Receiver<Line>, obstacle: &Obstacle) -> Line {
    receiver.recv().unwrap_or_else(|_| {
        let known = obstacle.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Err(Failed::from(known.unwrap_or_else(|| "the run ended before its turn".to_owned())))
    })
}

fn keep(obstacle: &Obstacle, error: &SetUpError) {
    *obstacle.lock().unwrap_or_else(PoisonError::into_inner) = Some(visible(&error.to_string()).into_owned());
}

/// Runs the suite and drops the senders at its end, so that every line ends.
fn run(target: Target, settings: Settings, senders: &BTreeMap<&'static str, Sender<Line>>, obstacle: &Obstacle) {
    let repeat = format!("{} --profile {} --seed {}", target.flag, settings.profile, settings.seed);
    let secrets: Mutex<Secrets> = Mutex::default();
    let sink = |event: Event<'_>| match event {
        Event::Started { facts, .. } => {
            *secrets.lock().unwrap_or_else(PoisonError::into_inner) = facts.secrets.clone();
        }
        Event::Decided(result) => {
            let line = verdict(result, &secrets.lock().unwrap_or_else(PoisonError::into_inner), &repeat);
            if let Some(sender) = senders.get(result.requirement.id) {
                // A filtered line has no receiver.
                let _ = sender.send(line);
            }
        }
        _ => {}
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime
        .map_err(|error| SetUpError::Configuration(format!("cannot start the async runtime: {error}")))
        .and_then(|runtime| runtime.block_on(Suite::new(ContentGeneration, target).with(settings).run(&sink)));
    if let Err(error) = ended {
        keep(obstacle, &error);
    }
}

fn verdict(result: &RequirementResult, secrets: &Secrets, repeat: &str) -> Line {
    let shown = |text: &str| visible(&secrets.mask(text)).into_owned();
    match &result.outcome {
        Outcome::Passed => Ok(Completion::Completed),
        Outcome::Flaky { failure, again } => {
            let (found, level) = (&failure.finding, "a warning: flaky");
            let told = format!("{level}, expected {}, observed {}; {again}", found.expected, found.observed);
            Ok(Completion::ignored_with(shown(&told)))
        }
        Outcome::Known { reason, .. } => Ok(Completion::ignored_with(format!("known: {}", shown(reason)))),
        Outcome::Stale { complaint, .. } => Err(Failed::from(shown(complaint))),
        Outcome::NotApplicable(reason) | Outcome::Skipped(reason) => Ok(Completion::ignored_with(shown(reason))),
        Outcome::Inconclusive(reason) => Ok(Completion::ignored_with(format!("not decided: {}", shown(reason)))),
        Outcome::Error(reason) => Err(Failed::from(shown(reason))),
        Outcome::Failed(failure) => {
            let (id, found) = (result.requirement.id, &failure.finding);
            let told = shown(&format!("expected {}\nobserved {}", found.expected, found.observed));
            if !result.is_failure() {
                return Ok(Completion::ignored_with(format!("a warning: {}", told.replace('\n', ", "))));
            }
            Err(Failed::from(format!(
                "{told}\nclause   {}\nsource   {}\ncase     {}\nrepeat   contentgen-conformance run {repeat} --only {id}",
                result.requirement.clause,
                result.requirement.sources.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
                shown(&failure.case.to_string()),
            )))
        }
    }
}
