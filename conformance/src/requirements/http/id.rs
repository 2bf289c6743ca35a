//! Percent-encoded ids in paths.

use serde_json::{Value, json};

use crate::check::Source::Standard;
use crate::check::{Context, Request, Requirement, Verdict, demand};
use crate::steps;

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "http.id.percent-encoded",
        "The service decodes percent-encoded ids in paths.",
        &[Standard("RFC 3986", "2.3"), Standard("RFC 9110", "4.2.3")],
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
