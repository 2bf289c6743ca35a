//! Different keys make different jobs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{About as _, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::keyed::keyed;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "idempotency.keys.different-jobs",
        "Different keys make different jobs, even if they differ only in letter case.",
        &[Sentence("Key of this logical call."), Sentence("Letter case counts.")],
        different,
    )]
}

async fn different(context: Context, _: Value) -> Verdict {
    let body = steps::quiet_request(&context, "Stacking firewood");
    let key = context.fresh("Key");
    let keys = [key.clone(), key.to_lowercase(), format!("{key}2")];
    let mut jobs = BTreeSet::new();
    let mut verdict = Ok(());
    for key in &keys {
        let exchange = context.send(keyed(&body, key)).await?;
        demand::success(&exchange)?;
        let job_id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        let is_new = jobs.insert(job_id.clone());
        let different = ensure(is_new, "three jobs for three keys", || format!("{job_id} again, for the key {key}"));
        verdict = verdict.and(different.about(&exchange));
        steps::discard(&context, &exchange).await?;
    }
    verdict
}
