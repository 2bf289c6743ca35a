//! Idempotency keys of two accounts are apart.

use serde_json::{Value, json};

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.idempotency.scope",
            "An idempotency key belongs to its account: the same key and topic of another account makes its own job.",
            "openapi.yaml, IdempotencyKey",
            idempotency,
        )
        .needs(TWO),
    ]
}

async fn idempotency(context: Context, _: Value) -> Verdict {
    let key = context.fresh("shared");
    let body = steps::quiet_request(&context, "Choosing an umbrella");
    let mut foreign = body.clone();
    foreign["website_id"] = json!(context.facts().other_website_id);
    let first = context.send(steps::generate(&body).header("idempotency-key", key.clone())).await?;
    demand::success(&first)?;
    let request = steps::generate(&foreign).header("idempotency-key", key).by(Credential::Other);
    let other = context.send(request).await?;
    demand::success(&other)?;
    let ids = (&demand::json(&first)?["job_id"], &demand::json(&other)?["job_id"]);
    ensure(ids.0 != ids.1, "a job of its own", || ids.0.to_string())
}
