//! Ids in paths, percent-encoded.

use serde_json::{Value, json};

use crate::check::{Context, Request, Requirement, Verdict, demand};
use crate::steps;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::must(
        "http.id.percent-encoded",
        "Percent-encoded ids in paths are decoded.",
        "RFC 3986, section 2.1",
        percent_encoded,
    )]
}

async fn percent_encoded(context: Context, _: Value) -> Verdict {
    let queued = context.send(steps::generate(&steps::quiet_request(&context, "Encoding an address"))).await?;
    demand::success(&queued)?;
    let job_id = demand::text(demand::json(&queued)?, "job_id")?.to_owned();
    let encoded = steps::percent_encoded(&job_id);
    let request = Request::new("get_job", "GET", &format!("/jobs/{encoded}"));
    let exchange = context.send(request).await?;
    demand::status(&exchange, 200)?;
    demand::same("job_id", &json!(job_id), &demand::json(&exchange)?["job_id"])?;
    steps::discard(&context, &queued).await
}
