//! Runs the conformance suite from a program, against the server in the environment variables or the built-in server.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::report::{About, Report};
use contentgen_conformance::runner::{Account, Event, Outcome, Settings, Suite, Target};
use contentgen_conformance::spec::Profile;

/// Checks whether a server conforms to the API, and prints the requirements that fail.
#[derive(Debug, Parser)]
struct Arguments {
    /// Base URL of the server; by default the built-in reference server is started.
    #[arg(long, env = "CONTENTGEN_BASE_URL")]
    base_url: Option<String>,
    /// Platform key.
    #[arg(long, env = "CONTENTGEN_API_KEY", hide_env_values = true, default_value = "")]
    api_key: String,
    /// An active website; by default the first that the server lists.
    #[arg(long, env = "CONTENTGEN_WEBSITE_ID")]
    website_id: Option<String>,
    /// `core` for the documented facts, `full` for the whole document.
    #[arg(long, default_value = "core")]
    profile: Profile,
    /// Seed of all random cases.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of cases of each requirement with random cases.
    #[arg(long, default_value_t = 50)]
    cases: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    let server = match &arguments.base_url {
        Some(_) => None,
        None => Some(Reference::start().await.context("cannot start the reference server")?),
    };
    let target = match (&server, arguments.base_url) {
        (Some(server), _) => server.target(),
        (None, base_url) => {
            let account = Account { api_key: arguments.api_key, website_id: arguments.website_id };
            Target::new(&base_url.unwrap_or_default(), account)
        }
    };
    let settings =
        Settings { profile: arguments.profile, cases: arguments.cases, seed: arguments.seed, ..Settings::default() };
    let run = Suite::new(ContentGeneration, target).with(settings).run(&show).await?;
    let report = Report::new(&run, About::default());
    writeln!(std::io::stdout().lock(), "{:?}: {:?}", report.conclusion, report.summary)?;
    Ok(if run.verdicts().failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints each failed requirement immediately, before the suite ends.
#[expect(clippy::needless_pass_by_value, reason = "the suite hands its news over")]
fn show(event: Event<'_>) {
    if let Event::Decided(result) = event
        && let Outcome::Failed(failure) = &result.outcome
    {
        // A closed pipe must not turn a verdict into a crash.
        let _ = writeln!(std::io::stdout().lock(), "{}: expected {}", result.requirement.id, failure.finding.expected);
    }
}
