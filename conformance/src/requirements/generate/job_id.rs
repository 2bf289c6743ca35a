//! Every job has an id of its own.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::strategies::Space;

const DOCUMENTED: &str = "service description, section 4.1";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.job-id.unique",
            "Every accepted call queues its own job, so no two answers share a job_id.",
            DOCUMENTED,
            unique_ids,
        )
        .core()
        .drawn("the documented request", Cases::Exactly(1), Space::documented_request),
    ]
}

async fn unique_ids(context: Context, body: Value) -> Verdict {
    let answers = (0..8).map(|_| context.send(steps::generate(&body)));
    let mut seen = BTreeSet::new();
    for exchange in futures::future::try_join_all(answers).await? {
        demand::success(&exchange)?;
        let id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        ensure(seen.insert(id.clone()), "eight different values of job_id", || format!("{id} twice"))?;
    }
    Ok(())
}
