//! Scheduled posts of another account: reading one gets 404.

use serde_json::Value;

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand};
use crate::steps;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO: &[Capability] = &[Capability::ISOLATION, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.posts.unknown",
            "Reading another account's scheduled post gets 404 scheduled_post_not_found.",
            SOURCE,
            posts,
        )
        .needs(TWO),
    ]
}

async fn posts(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Reading a plan"))).await?;
    demand::success(&queued)?;
    let id = demand::text(demand::json(&queued)?, "scheduled_post_id")?.to_owned();
    let request = steps::get_scheduled_post(&id);
    let foreign = context.send(request.clone().by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["scheduled_post_not_found"])?;
    // Its own account reads it.
    demand::status(&*context.send(request).await?, 200)?;
    steps::discard_where_possible(&context, &queued).await
}
