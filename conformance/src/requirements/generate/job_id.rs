//! Ids of jobs are unique.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::Source::Fact;
use crate::check::{Context, Requirement, Verdict, demand, ensure};
use crate::steps;

/// Topics of concurrent requests.
const TOPICS: [&str; 8] = [
    "Repotting a cactus",
    "Folding a paper boat",
    "Cleaning a coffee grinder",
    "Choosing a reading lamp",
    "Drying herbs at home",
    "Repairing a bicycle tube",
    "Storing winter clothes",
    "Brewing ginger tea",
];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "generate.job-id.unique",
            "Each accepted request queues its own job: the responses to concurrent requests with different topics have different values of job_id.",
            &[Fact("1.3"), Fact("4.1")],
            unique_ids,
        )
        .core(),
    ]
}

async fn unique_ids(context: Context, _: Value) -> Verdict {
    let documented = |topic: &str| json!({ "topic": topic, "website_id": context.facts().website_id });
    let calls = TOPICS.iter().map(|topic| context.send(steps::generate(&documented(topic))));
    let mut seen = BTreeSet::new();
    for exchange in futures::future::try_join_all(calls).await? {
        demand::success(&exchange)?;
        let id = demand::text(demand::json(&exchange)?, "job_id")?.to_owned();
        ensure(seen.insert(id.clone()), "eight different values of job_id", || format!("{id} twice"))?;
    }
    Ok(())
}
