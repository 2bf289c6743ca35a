//! Scheduled posts of another account.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand};
use crate::steps;
use crate::steps::accounts::unknown_to_other;

const TWO: &[Capability] = &[Capability::ISOLATION, Capability::PIPELINE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.posts.unknown",
            "Reading another account's scheduled post returns 404 scheduled_post_not_found.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
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
    unknown_to_other(&context, request.clone(), "scheduled_post_not_found").await?;
    // Its own account can read it.
    demand::status(&*context.send(request).await?, 200)?;
    steps::discard_where_possible(&context, &queued).await
}
