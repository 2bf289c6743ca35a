//! How long a run takes before a server whose articles take their time: `cargo bench -p contentgen-conformance --bench slow_writer -- 2 10`.
//!
//! A server with a writer for each number of seconds is judged with default settings: by the profile `full`, or with `--core` by `core`.
//! `--answers 120` lets each answer arrive so many milliseconds later, as from far away. Ends with 1 where a requirement fails: the server
//! is right, it is only slow. Goals: 60 s and six times an article's time, in `core` 30 s and three times; with 120 ms for each answer
//! 150 s where articles come at once.

mod relay;
mod writer;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Run, Settings, Suite};
use contentgen_conformance::spec::Profile;
use contentgen_server_stub::domain::public_url::PublicUrl;
use contentgen_server_stub::server::Settings as ServerSettings;
use tokio::net::TcpListener;

use writer::SlowWriter;

/// What the goal allows beside the articles, and how many articles one after the other.
const GOAL: (Duration, u32) = (Duration::from_mins(1), 6);
const CORE_GOAL: (Duration, u32) = (Duration::from_secs(30), 3);
/// What it allows where answers take their time.
const FAR_GOAL: (Duration, u32) = (Duration::from_secs(150), 6);
/// As many articles at a time as a service with a language model would write.
const CONCURRENCY: usize = 256;
/// Requirements that are shown because they took longest.
const SHOWN: usize = 12;

/// What is measured.
struct Plan {
    /// How many seconds an article takes, for each run.
    articles: Vec<f64>,
    /// By how much later each answer arrives.
    answers: Duration,
    profile: Profile,
}

impl Plan {
    /// Reads the arguments; cargo bench adds `--bench`.
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut plan = Self { articles: Vec::new(), answers: Duration::ZERO, profile: Profile::Full };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => {}
                "--core" => plan.profile = Profile::Core,
                "--answers" => {
                    let milliseconds = arguments.next().context("--answers needs milliseconds")?;
                    plan.answers = Duration::from_millis(milliseconds.parse().context("--answers needs milliseconds")?);
                }
                seconds => plan.articles.push(seconds.parse().context("an article's time is a number of seconds")?),
            }
        }
        if plan.articles.is_empty() {
            plan.articles.push(2.0);
        }
        Ok(plan)
    }

    fn goal(&self, takes: Duration) -> Duration {
        let (base, articles) = match self.profile {
            Profile::Core => CORE_GOAL,
            Profile::Full if self.answers.is_zero() => GOAL,
            Profile::Full => FAR_GOAL,
        };
        base + takes * articles
    }
}

fn main() -> Result<ExitCode> {
    let plan = Plan::read(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut is_right = true;
    for seconds in &plan.articles {
        let takes = Duration::from_secs_f64(*seconds);
        let run = runtime.block_on(judge(&plan, takes))?;
        show(&plan, &run, takes);
        is_right &= run.verdicts().failed == 0;
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn judge(plan: &Plan, takes: Duration) -> Result<Run> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let public = format!("http://{}", listener.local_addr()?);
    let public_url: PublicUrl = public.parse().map_err(anyhow::Error::msg)?;
    let settings = ServerSettings { concurrency: CONCURRENCY, public_url: Some(public_url), ..ServerSettings::demo() };
    let server = Reference::start_as(settings, Some(Arc::new(SlowWriter { takes })))
        .await
        .context("the server does not start")?;
    let mut target = server.target();
    let address = target.base_url.trim_start_matches("http://").parse().context("the server's address")?;
    public.clone_into(&mut target.base_url);
    target.ready_within = Some(Duration::from_mins(1).max(takes * 3));
    let settings = Settings { seed: 1, profile: plan.profile, ..Settings::default() };
    let judged = Suite::new(ContentGeneration, target).with(settings).run(&|_| {});
    tokio::select! {
        run = judged => run.context("the run cannot begin"),
        relayed = relay::relay(listener, address, plan.answers) => Err(relayed.err().context("the relay ended")?),
    }
}

#[expect(clippy::print_stdout, reason = "a bench is for reading")]
fn show(plan: &Plan, run: &Run, takes: Duration) {
    let goal = plan.goal(takes);
    let seconds = run.duration.as_secs_f64();
    let verdicts = run.verdicts();
    println!(
        "{}: an article takes {:.1} s, an answer {} ms more: {seconds:.1} s, goal {:.1} s; {} passed, {} failed, {} flaky, {} open, {} exchanges",
        plan.profile,
        takes.as_secs_f64(),
        plan.answers.as_millis(),
        goal.as_secs_f64(),
        verdicts.passed,
        verdicts.failed,
        verdicts.flaky,
        verdicts.inconclusive,
        run.exchanges
    );
    let mut slowest: Vec<_> = run.results.iter().collect();
    slowest.sort_by_key(|result| std::cmp::Reverse(result.duration));
    for result in slowest.into_iter().take(SHOWN) {
        println!("  {:7.1} s {}", result.duration.as_secs_f64(), result.requirement.id);
    }
    for result in &run.results {
        match &result.outcome {
            Outcome::Failed(failure) | Outcome::Flaky { failure, .. } => {
                println!(
                    "  {}: expected {}, observed {}",
                    result.requirement.id, failure.finding.expected, failure.finding.observed
                );
            }
            Outcome::Inconclusive(reason) => println!("  {} is open: {reason}", result.requirement.id),
            _ => {}
        }
    }
}
