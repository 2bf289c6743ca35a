//! An id that names no job.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::operations::unknown_id;

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "jobs.unknown.not-found",
            "Reading or cancelling a job by an id that names none is answered 404 job_not_found, whatever the id looks like.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_job", draw))
        .needs(JOBS),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // As drawn: the segment is percent-encoded already.
    let exchange = context.send(Request::new("get_job", "GET", &format!("/jobs/{id}"))).await?;
    demand::problem(&exchange, 404, &["job_not_found"])?;
    let exchange = context.send(Request::new("cancel_job", "POST", &format!("/jobs/{id}/cancel"))).await?;
    demand::problem(&exchange, 404, &["job_not_found"])?;
    control::job(&context).await
}
