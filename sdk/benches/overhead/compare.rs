//! Two ways of one call, in alternating blocks, and the ratio of their processor times.

use std::io::Write;

use crate::calls::Sides;
use crate::stopwatch::Stopwatch;

/// The most processor time that the SDK may take, beside the HTTP client alone.
const GOAL: f64 = 1.10;
/// Blocks of each way.
const ROUNDS: usize = 25;
/// Calls in a block.
const CALLS: usize = 1536;

type Failure = Box<dyn std::error::Error>;

/// Measures and prints.
pub(crate) async fn run<R, S>(
    out: &mut impl Write,
    operation: &str,
    concurrency: usize,
    sides: &Sides,
    raw: impl Fn(Sides) -> R + Copy + 'static,
    sdk: impl Fn(Sides) -> S + Copy + 'static,
) -> Result<(), Failure>
where
    R: Future<Output = Result<(), Failure>> + 'static,
    S: Future<Output = Result<(), Failure>> + 'static,
{
    // The first blocks open connections and warm caches: they do not count.
    block(concurrency, sides, raw).await?;
    block(concurrency, sides, sdk).await?;
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        // The one that comes first in a round comes second in the next one.
        let (alone, with) = if round % 2 == 0 {
            let alone = block(concurrency, sides, raw).await?;
            (alone, block(concurrency, sides, sdk).await?)
        } else {
            let with = block(concurrency, sides, sdk).await?;
            (block(concurrency, sides, raw).await?, with)
        };
        rounds.push((with / alone, alone, with));
    }
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ratios: Vec<String> = rounds.iter().map(|(ratio, ..)| format!("{ratio:.2}")).collect();
    let (ratio, alone, with) = rounds[ROUNDS / 2];
    let is_met = ratio <= GOAL;
    writeln!(
        out,
        "{operation}, {concurrency} at a time: reqwest {alone:.1} µs, SDK {with:.1} µs of processor time a call"
    )?;
    writeln!(out, "  rounds {}", ratios.join(" "))?;
    writeln!(out, "  median {ratio:.3}, goal {GOAL:.2}: {}", if is_met { "met" } else { "MISSED" })?;
    Ok(())
}

/// Microseconds of this thread's processor time for each call of a block.
async fn block<F>(concurrency: usize, sides: &Sides, call: impl Fn(Sides) -> F + Copy + 'static) -> Result<f64, Failure>
where
    F: Future<Output = Result<(), Failure>> + 'static,
{
    let tasks = tokio::task::LocalSet::new();
    let stopwatch = Stopwatch::start();
    let working: Vec<_> = (0..concurrency)
        .map(|_| {
            let sides = sides.clone();
            tasks.spawn_local(async move {
                for _ in 0..CALLS / concurrency {
                    call(sides.clone()).await?;
                }
                Ok::<_, Failure>(())
            })
        })
        .collect();
    tasks.await;
    let micros = stopwatch.micros();
    for task in working {
        task.await??;
    }
    #[expect(clippy::cast_precision_loss, reason = "thousands of calls")]
    let calls = (CALLS / concurrency * concurrency) as f64;
    Ok(micros / calls)
}
