//! `run`: from arguments to an exit code.
//!
//! Reading configuration is `config`'s, running is `runner`'s, showing is `report`'s.

use std::io::{IsTerminal, Write};

use super::arguments::RunArguments;
use super::config::{self, Configured};
use super::exit::Exit;
use crate::report::{self, Report, Terminal};
use crate::runner::{Event, Selection, SetUpError, Settings, Suite};

/// Runs the suite; the error is one sentence.
pub(super) async fn run(arguments: &RunArguments) -> Result<Exit, SetUpError> {
    #[cfg(feature = "reference")]
    if arguments.reference {
        let server = crate::reference::Reference::start().await?;
        let configured =
            Configured { target: server.target(), profile: crate::spec::Profile::Full, known_failures: Vec::new() };
        return against(configured, arguments).await;
    }
    if arguments.reference {
        return Err(SetUpError::Configuration(
            "this build has no reference server: build it with the feature `reference`".to_owned(),
        ));
    }
    let configured = match (&arguments.base_url, &arguments.config) {
        (Some(base_url), _) => config::from_base_url(base_url)?,
        (None, Some(file)) => config::from_file(file)?,
        (None, None) => {
            return Err(SetUpError::Configuration(
                "name a target: --reference, --base-url URL or --config FILE".to_owned(),
            ));
        }
    };
    against(configured, arguments).await
}

async fn against(configured: Configured, arguments: &RunArguments) -> Result<Exit, SetUpError> {
    let settings = Settings {
        profile: arguments.profile.unwrap_or(configured.profile),
        selection: Selection { only: arguments.only.clone(), skip: arguments.skip.clone() },
        cases: arguments.cases,
        seed: arguments.seed.unwrap_or_else(|| u64::from(rand::random::<u32>())),
        jobs: usize::from(arguments.jobs),
        max_time: arguments.max_time,
        known_failures: configured.known_failures,
    };
    let colour = std::io::stderr().is_terminal() && config::environment("NO_COLOR").is_none();
    let live = std::io::stderr().is_terminal() && !arguments.no_progress;
    let terminal = Terminal::new(live, colour, Box::new(std::io::stderr()));
    let sink = |event: Event<'_>| terminal.take(&event);
    let run = Suite::new(configured.target).with(settings).run(&sink).await?;
    let report = Report::new(&run);
    let written = report::write(&report, &arguments.report_dir);
    let mut output = std::io::stdout().lock();
    // A closed pipe must not turn a verdict into a crash.
    let _ = write!(output, "{}", terminal.summary(&report));
    let files = written.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        SetUpError::Configuration(format!("{error}: {cause}; choose another --report-dir"))
    })?;
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let _ = writeln!(output, "{:>12} {}", "Reports", names.join(", "));
    Ok(Exit::from(report.conclusion))
}
