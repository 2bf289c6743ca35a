//! Ids that name no job.

use serde_json::Value;

use crate::check::Source::{Part, Sentence};
use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict};
use crate::steps::control;
use crate::steps::operations::{unknown_id, unknown_refused};

const JOBS: &[Capability] = &[Capability::JOBS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "jobs.unknown.not-found",
            "Reading or cancelling a job by an unknown id gets 404 job_not_found, or another 4xx if the id contains NUL, a slash, a \
             backslash, a semicolon, a percent sign or bytes that are not UTF-8.",
            &[
                Part("/x-problem-codes/job_not_found/status"),
                Sentence("There is no such job."),
                Sentence("The id is unknown, or the key may not use it."),
                Sentence("Ids are opaque strings, which are compared exactly, with their letter case."),
            ],
            unknown,
        )
        .drawn("ids that name nothing", Cases::Searched, |space, draw| unknown_id(space, "get_job", draw))
        .needs(JOBS),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let id = id.as_str().unwrap_or("x");
    // The drawn segment is already percent-encoded.
    let read = Request::new("get_job", "GET", &format!("/jobs/{id}"));
    let cancel = Request::new("cancel_job", "POST", &format!("/jobs/{id}/cancel"));
    for request in [read, cancel] {
        unknown_refused(&*context.send(request).await?, id, "job_not_found")?;
    }
    control::job(&context).await
}
