//! `receiver`: checks a receiver of webhooks.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use futures::future::FutureExt as _;

use super::arguments::ReceiverArguments;
use super::exit::Exit;
use super::placeholder::{EVENT_ID, check_script};
use super::signals::{self, Ended};
use super::stopped_commands::StoppedCommands;
use super::{command, environment};
use crate::receivers::{AskEffects, Sender, WebhookReceiver};
use crate::report::{self, About, Archives, Report};
use crate::runner::{Event, Flaky, Interrupt, Selection, SetUpError, Settings, Suite};
use crate::spec::Profile;

/// Message when a signal ends the run.
const INTERRUPTED: &str = "interrupted: writing the reports; press Ctrl-C again to stop at once";

/// Checks the receiver. The error is one sentence. Ends `stopped` before it prints the result.
pub(super) async fn receiver(arguments: &ReceiverArguments, stopped: &mut StoppedCommands) -> Result<Exit, SetUpError> {
    let variable = &arguments.secret_env;
    let secret = environment::value_of(variable).ok_or_else(|| {
        SetUpError::Configuration(format!(
            "no webhook secret: set the environment variable {variable} to the secret that the receiver knows"
        ))
    })?;
    let effects = arguments.effects.as_deref().map(effects).transpose()?;
    let sender = Sender::new(&arguments.url, secret, arguments.answer_within, effects)?;
    let (contract, mut target) = WebhookReceiver::new(sender);
    target.flag = flags(arguments);
    let selection = Selection { only: arguments.plan.only.clone(), skip: arguments.plan.skip.clone() };
    let profile = arguments.plan.profile.unwrap_or(Profile::Full);
    if selection.select(contract.requirements(), profile).is_empty() {
        let ids: Vec<&str> = contract.requirements().iter().map(|one| one.id).collect();
        return Err(SetUpError::Configuration(format!("--only and --skip leave none of: {}", ids.join(", "))));
    }
    let terminal = environment::progress(arguments.no_progress);
    let (switch, interrupt) = Interrupt::new();
    let settings = Settings {
        profile,
        selection,
        seed: arguments.plan.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
        flaky: if arguments.strict { Flaky::Fail } else { Flaky::Warn },
        strict: arguments.strict,
        interrupt,
        ..Settings::default()
    };
    let sink = |event: Event<'_>| terminal.take(&event);
    let running = Suite::new(contract, target).with(settings).run(&sink);
    let ended = signals::awaited(running, &switch, &terminal, INTERRUPTED).await?;
    let Ended::Run { run, is_interrupted } = ended else { return Ok(Exit::Interrupted) };
    let report = Report::new(&run, About::default());
    let written = report::write(&run, &report, &arguments.report_dir, Archives::Failed);
    stopped.end();
    let mut output = std::io::stdout().lock();
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(output, "{}", terminal.summary(&report));
    let files = written.map_err(|error| SetUpError::Configuration(format!("{error}; choose another --report-dir")))?;
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let _ = writeln!(output, "{:>12} {}", "Reports", names.join(", "));
    Ok(match Exit::from(report.conclusion) {
        Exit::NotConformant => Exit::NotConformant,
        _ if is_interrupted => Exit::Interrupted,
        exit => exit,
    })
}

/// Returns the flags that select the same receiver again.
fn flags(arguments: &ReceiverArguments) -> String {
    let mut flags = format!("--url {}", report::shell_word(&arguments.url));
    flags = format!("{flags} --secret-env {}", report::shell_word(&arguments.secret_env));
    if let Some(effects) = &arguments.effects {
        flags = format!("{flags} --effects {}", report::shell_word(effects));
    }
    format!("{flags} --answer-within {}ms", arguments.answer_within.as_millis())
}

/// Returns a way to ask the command `line` for the number of an event's effects.
fn effects(line: &str) -> Result<AskEffects, SetUpError> {
    let words = shlex::split(line)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| SetUpError::Configuration("--effects is not a command: check its quotation marks".to_owned()))?;
    check_script("--effects", Some(&words))?;
    if !words.iter().any(|word| EVENT_ID.is_used_in(word)) {
        return Err(SetUpError::Configuration("--effects names no event: add {event}".to_owned()));
    }
    let words = Arc::new(words);
    Ok(Arc::new(move |event| {
        let words = Arc::clone(&words);
        async move {
            let printed = command::execute(Path::new("."), &words, &[(&EVENT_ID, &event)]).await?;
            printed.trim().parse().map_err(|_| "the command printed something else than a number".to_owned())
        }
        .boxed()
    }))
}
