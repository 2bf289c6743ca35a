//! An id that names no lead.

use serde_json::{Value, json};

use crate::check::{Capability, Cases, Context, Request, Requirement, Verdict, demand};
use crate::strategies::{Draw, hostile_id};

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.unknown.not-found",
            "An id that names no lead is 404 lead_not_found.",
            "openapi.yaml, x-problem-codes",
            unknown,
        )
        .needs(LEADS)
        .drawn("ids that name nothing", Cases::Divided(4), |_, draw: &mut Draw| json!(draw.value(&hostile_id()))),
    ]
}

async fn unknown(context: Context, id: Value) -> Verdict {
    let path = format!("/leads/{}", id.as_str().unwrap_or("x"));
    demand::problem(&*context.send(Request::new("get_lead", "GET", &path)).await?, 404, &["lead_not_found"])
}
