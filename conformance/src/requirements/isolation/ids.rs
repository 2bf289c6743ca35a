//! Ids that the run has seen, with the key of another account.

use serde_json::Value;

use crate::check::Source::{Fact, Sentence};
use crate::check::{Capability, Cases, Context, Credential, Exchange, Halt, Requirement, Verdict, demand};
use crate::spec::Profile;
use crate::steps::accounts::read_by_other;
use crate::steps::{self, articles};

const TWO: &[Capability] = &[Capability::ISOLATION];

/// Maximum number of ids to try, and how many at once.
const PROBED: usize = 240;

const AT_ONCE: usize = 16;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.ids.every",
            "With another account's key every id that was seen in this run is unknown: reading returns 404, or a record of the other account with an equal id, and cancelling a job that cannot be read returns 404. In core it does not return this account's article.",
            &[
                Fact("5"),
                Fact("1.1"),
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            every,
        )
        .core()
        .needs(TWO)
        .drawn("ids seen in the run", Cases::Exactly(1), |_, _| Value::Null)
        .last(),
    ]
}

async fn every(context: Context, _: Value) -> Verdict {
    // Makes ids, in case no other requirement runs.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Growing herbs on a balcony"))).await?;
    demand::success(&queued)?;
    let own = ended_jobs(&context).await?;
    let seen = context.seen_ids();
    let step = seen.len().div_ceil(PROBED).max(1);
    let probed: Vec<&String> = own.iter().chain(seen.iter().rev().step_by(step)).collect();
    for some in probed.chunks(AT_ONCE) {
        futures::future::try_join_all(some.iter().map(|id| probe(&context, id))).await?;
    }
    steps::discard_where_possible(&context, &queued).await
}

/// Returns ids of a cancelled job and of a completed one with its article, if jobs can be read. A server that checks the state before
/// the owner shows that only with such ids.
async fn ended_jobs(context: &Context) -> Result<Vec<String>, Halt> {
    if !context.facts().capabilities.contains(&Capability::JOBS) {
        return Ok(Vec::new());
    }
    let cancelled = steps::queue(context, &steps::quiet_request(context, "Nothing to be read by others")).await?;
    context.send(steps::cancel_job(&cancelled)).await?;
    let mut ended = articles::readable_about(context, "Read by its owner only").await?;
    ended.push(cancelled);
    Ok(ended)
}

/// Reads and cancels with the other account's key, whatever kind of record the id is of.
async fn probe(context: &Context, id: &str) -> Verdict {
    let article = read_by_other(context, steps::get_article(id)).await?;
    if context.document().profile() == Profile::Core {
        return Ok(());
    }
    let job = read_by_other(context, steps::get_job(id)).await?;
    // The other account may have a job with this id, in any state.
    if !job.succeeded() {
        demand::problem(&job, 404, &["job_not_found"])?;
        is_unknown(&article, "article_not_found")?;
        let cancelled = context.send(steps::cancel_job(id).by(Credential::Other)).await?;
        demand::problem(&cancelled, 404, &["job_not_found"])?;
    }
    let lead = read_by_other(context, steps::get_lead(id)).await?;
    is_unknown(&lead, "lead_not_found")?;
    let post = read_by_other(context, steps::get_scheduled_post(id)).await?;
    is_unknown(&post, "scheduled_post_not_found")
}

/// Demands 404 with this code, unless the response shows a record of the other account.
fn is_unknown(exchange: &Exchange, code: &str) -> Verdict {
    if exchange.succeeded() { Ok(()) } else { demand::problem(exchange, 404, &[code]) }
}
