//! Requests with the two documented members only.

use std::time::Duration;

use serde_json::Value;

use crate::check::{Cases, Context, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::strategies::Space;

const DOCUMENTED: &str = "service description, section 4.1";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "generate.documented.accepted",
            "POST /api/v1/generate with topic and website_id queues a job and answers with a JSON body that contains job_id.",
            DOCUMENTED,
            documented,
        )
        .core()
        .drawn("the documented request", Cases::Divided(8), Space::documented_request),
        Requirement::must(
            "generate.documented.at-once",
            "The call queues a job and answers at once; generation happens afterwards.",
            DOCUMENTED,
            at_once,
        )
        .core()
        .should()
        .drawn("the documented request", Cases::Exactly(3), Space::documented_request),
        Requirement::must(
            "generate.documented.any-text",
            "A topic is text: in any script, with marks and signs of any kind, it is accepted like every other.",
            DOCUMENTED,
            documented,
        )
        .core()
        .should()
        .drawn("topics in several scripts", Cases::Exactly(8), Space::topic_in_any_script),
    ]
}

async fn documented(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    demand::success(&exchange)?;
    demand::text(demand::json(&exchange)?, "job_id").map(|_| ())
}

async fn at_once(context: Context, body: Value) -> Verdict {
    let exchange = context.send(steps::generate(&body)).await?;
    ensure(exchange.elapsed < Duration::from_secs(5), "an answer within 5 s", || {
        format!("{:.1} s", exchange.elapsed.as_secs_f64())
    })
}
