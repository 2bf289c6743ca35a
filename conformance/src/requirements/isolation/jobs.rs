//! Jobs of another account.

use serde_json::{Value, json};

use crate::check::Source::Sentence;
use crate::check::{About as _, Capability, Context, Credential, Exchange, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::accounts::unknown_to_other;

const TWO_JOBS: &[Capability] = &[Capability::ISOLATION, Capability::JOBS];

/// An id that no job has.
const UNKNOWN: &str = "job_never_was";

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.jobs.unknown",
            "Reading another account's job returns 404 job_not_found, with the same title, detail and type as for an unknown id, except for ids in the detail.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("The kind of problem in a few words, always the same for a code."),
            ],
            jobs,
        )
        .needs(TWO_JOBS),
        Requirement::new(
            "isolation.jobs.cancel",
            "Cancelling another account's job returns 404 job_not_found and does not cancel the job.",
            &[
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            cancel,
        )
        .needs(TWO_JOBS),
    ]
}

async fn jobs(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a map")).await?;
    let foreign = unknown_to_other(&context, steps::get_job(&job_id), "job_not_found").await?;
    let unknown = context.send(steps::get_job(UNKNOWN).by(Credential::Other)).await?;
    let expected = without_ids(&unknown, UNKNOWN);
    demand::same("title, detail and type", &expected, &without_ids(&foreign, &job_id)).about(&foreign)?;
    steps::finished(&context, &job_id).await.map(|_| ())
}

/// Returns title, detail and type of a problem, with placeholders for the requested id and the id of the request.
fn without_ids(exchange: &Exchange, id: &str) -> Value {
    let body = exchange.json().cloned().unwrap_or_default();
    let mut detail = body["detail"].as_str().map(|detail| detail.replace(id, "{id}"));
    if let Some(request_id) = body["request_id"].as_str().filter(|id| !id.is_empty()) {
        detail = detail.map(|detail| detail.replace(request_id, "{request_id}"));
    }
    json!([body["title"], detail, body["type"]])
}

async fn cancel(context: Context, _: Value) -> Verdict {
    let job_id = steps::queue(&context, &steps::quiet_request(&context, "Reading a compass")).await?;
    // A job of the second account may have the same id, and must not be cancelled.
    unknown_to_other(&context, steps::get_job(&job_id), "job_not_found").await?;
    let foreign = context.send(steps::cancel_job(&job_id).by(Credential::Other)).await?;
    demand::problem(&foreign, 404, &["job_not_found"])?;
    let job = steps::finished(&context, &job_id).await?;
    let status = &demand::json(&job)?["status"];
    ensure(status != "cancelled", "a job that is not cancelled", || status.to_string())
}
