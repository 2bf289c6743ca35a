//! An id that names no lead.

use serde_json::Value;

use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict, demand};
use crate::steps::control;
use crate::steps::operations::unknown_id;

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.unknown.not-found",
            "GET /leads/{lead_id} with an id that names no lead is answered 404 lead_not_found.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .needs(LEADS)
        .drawn("ids that name nothing", Cases::Divided(4), |space, draw| unknown_id(space, "get_lead", draw)),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let path = format!("/leads/{}", id.as_str().unwrap_or("x"));
    demand::problem(&*context.send(Request::new("get_lead", "GET", &path)).await?, 404, &["lead_not_found"])?;
    control::lead(&context).await
}
