//! Jobs of another account do not exist.

use serde_json::{Value, json};

use crate::check::{About as _, Capability, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO_JOBS: &[Capability] = &[Capability::ISOLATION, Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.jobs.unknown",
            "Another account's job is answered 404 job_not_found, exactly like an id that does not exist.",
            SOURCE,
            jobs,
        )
        .needs(TWO_JOBS),
        Requirement::must(
            "isolation.jobs.cancel",
            "Cancelling another account's job is answered 404 job_not_found, and the job goes on.",
            SOURCE,
            cancel,
        )
        .needs(TWO_JOBS),
    ]
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a map")).await?;
    let foreign = context.send(steps::get_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let never = context.send(steps::get_job("job_never_was").by(Credential::Other)).await?;
    let told = |exchange: &crate::check::Exchange| {
        let body = exchange.json().cloned().unwrap_or_default();
        json!([body["title"], body["detail"], body["type"]])
    };
    demand::same("title, detail and type", &told(&never), &told(&foreign)).about(&foreign)?;
    steps::finished(&context, &job_id).await.map(|_| ())
}

async fn cancel(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a compass")).await?;
    let foreign = context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let job = steps::finished(&context, &job_id).await?;
    let status = &demand::json(&job)?["status"];
    ensure(status != "cancelled", "a job that goes on", || status.to_string())
}
