//! No id that the run has seen means anything to another account.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Credential, Halt, Requirement, Verdict, demand};
use crate::spec::Profile;
use crate::steps::{self, articles};

const TWO: &[Capability] = &[Capability::ISOLATION];

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

/// Ids that are probed at most, and how many at a time.
const PROBED: usize = 240;

const AT_ONCE: usize = 16;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.ids.every",
            "No id that was seen in this run leads to anything with another account's key.",
            SOURCE,
            every,
        )
        .core()
        .needs(TWO)
        .drawn("ids seen in the run", Cases::Exactly(1), |_, _| Value::Null)
        .last(),
    ]
}

async fn every(context: Context, _: Value) -> Verdict {
    // Something to look at even when it runs alone.
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Something of one's own"))).await?;
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

/// Ids of a job that was cancelled and of one that has completed, with its article, where jobs can be read: a server that
/// looks at the state before the owner gives itself away with these only.
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

/// Reads and cancels as the other account whatever the id may name.
async fn probe(context: &Context, id: &str) -> Verdict {
    if context.document().profile() == Profile::Core {
        return articles::hidden_from_other(context, id).await;
    }
    let requests = [
        (steps::get_article(id), "article_not_found"),
        (steps::get_job(id), "job_not_found"),
        (steps::cancel_job(id), "job_not_found"),
        (steps::get_lead(id), "lead_not_found"),
        (steps::get_scheduled_post(id), "scheduled_post_not_found"),
    ];
    for (request, code) in requests {
        let exchange = context.send(request.by(Credential::Other)).await?;
        demand::problem(&exchange, 404, &[code])?;
    }
    Ok(())
}
