//! Idempotency keys that were used before the target restarts.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::{first, keyed};
use crate::steps::restart::restart;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "idempotency.restart.remembered",
            "After a restart, a key with the same body still gets its job and queues no other. With another body it gets 422 idempotency_mismatch.",
            &[
                Sentence(
                    "Data that the service has confirmed survives its restart: jobs, articles, scheduled posts, leads and remembered idempotency keys are as before.",
                ),
                Sentence("Repeating the call with the same key does not queue a second job."),
            ],
            remembered,
        )
        .needs(&[Capability::JOBS, Capability::RESTARTING])
        .alone(),
    ]
}

async fn remembered(context: Context, _: Value) -> Verdict {
    let (mut body, key, first) = first(&context, "Sharpening a plane").await?;
    steps::discard(&context, &first).await?;
    restart(&context).await?;
    let again = context.send(keyed(&body, &key)).await?;
    demand::success(&again)?;
    let (before, after) = (&demand::json(&first)?["job_id"], &demand::json(&again)?["job_id"]);
    if before != after {
        steps::discard(&context, &again).await?;
    }
    demand::same("job_id of the replay", before, after)?;
    ensure(again.header("idempotency-replayed") == Some("true"), "Idempotency-Replayed: true", || {
        format!("{:?}", again.header("idempotency-replayed"))
    })?;
    body["topic"] = "Sharpening a saw".into();
    demand::problem(&*context.send(keyed(&body, &key)).await?, 422, &["idempotency_mismatch"])
}
