//! Idempotency keys of two accounts.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure, ensure_met};
use crate::steps;

const TWO: &[Capability] = &[Capability::ISOLATION];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.idempotency.scope",
            "An idempotency key belongs to one account: the same key from another account makes another job.",
            &[
                Sentence("A key belongs to the account, whichever platform key sends it."),
                Sentence("A key reaches only the data of its account."),
            ],
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
    let own = steps::generate(&body).header("idempotency-key", key.clone());
    let first = context.send(own.clone()).await?;
    demand::success(&first)?;
    let request = steps::generate(&foreign).header("idempotency-key", key).by(Credential::Other);
    let other = context.send(request).await?;
    demand::success(&other)?;
    let ids = (&demand::json(&first)?["job_id"], &demand::json(&other)?["job_id"]);
    ensure(ids.0 != ids.1, "a different job for each account", || ids.0.to_string())?;
    let again = context.send(own).await?;
    let is_repeat = again.json().is_some_and(|body| body["job_id"] == *ids.0);
    ensure_met(is_repeat, "a second request of the same account made another job, too")
}
