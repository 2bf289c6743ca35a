//! How long a run takes before a server whose articles take their time: `cargo bench -p contentgen-conformance --bench slow_writer -- 2 10`.
//!
//! A server with a writer for each number of seconds is judged by the profile `full`, with default settings. Ends with 1 where a
//! requirement fails: the server is right, it is only slow. Goal: 60 s and six times an article's time.

mod writer;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use contentgen_conformance::contract::ContentGeneration;
use contentgen_conformance::reference::Reference;
use contentgen_conformance::runner::{Outcome, Run, Settings, Suite};
use contentgen_server_stub::server::{Server, Settings as ServerSettings};

use writer::SlowWriter;

/// What the goal allows beside the articles, and how many articles one after the other.
const BASE: Duration = Duration::from_mins(1);
const ARTICLES: u32 = 6;
/// As many articles at a time as a service with a language model would write.
const CONCURRENCY: usize = 256;
/// Requirements that are shown because they took longest.
const SHOWN: usize = 12;

fn main() -> Result<ExitCode> {
    // cargo bench adds --bench.
    let seconds: Vec<f64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let seconds = if seconds.is_empty() { vec![2.0] } else { seconds };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut is_right = true;
    for seconds in seconds {
        let run = runtime.block_on(judge(Duration::from_secs_f64(seconds)))?;
        show(&run, Duration::from_secs_f64(seconds));
        is_right &= run.verdicts().failed == 0;
    }
    Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn judge(takes: Duration) -> Result<Run> {
    let settings = ServerSettings { concurrency: CONCURRENCY, ..ServerSettings::demo() };
    let builder = Server::builder().settings(settings).generator(Arc::new(SlowWriter { takes }));
    let server = Reference::start_as(builder).await.context("the server does not start")?;
    let mut target = server.target();
    target.ready_within = target.ready_within.max(takes * 3);
    let settings = Settings { seed: 1, ..Settings::default() };
    Suite::new(ContentGeneration, target).with(settings).run(&|_| {}).await.context("the run cannot begin")
}

#[expect(clippy::print_stdout, reason = "a bench is for reading")]
fn show(run: &Run, takes: Duration) {
    let goal = BASE + takes * ARTICLES;
    let seconds = run.duration.as_secs_f64();
    let verdicts = run.verdicts();
    println!(
        "an article takes {:.1} s: {seconds:.1} s, goal {:.1} s; {} passed, {} failed, {} flaky, {} open, {} exchanges",
        takes.as_secs_f64(),
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
