//! A lead by its id is the same as in the list.

use serde_json::Value;

use crate::check::{Capability, Context, Request, Requirement, Verdict, demand};
use crate::steps::leads::captured;

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.get.same-as-list",
            "GET /leads/{lead_id} returns the lead as the list shows it.",
            "openapi.yaml, get_lead",
            same_as_list,
        )
        .needs(CAPTURE),
    ]
}

async fn same_as_list(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("lead"));
    let lead = captured(&context, &email, "Robin Reader", "hello").await?;
    let id = demand::text(&lead, "id")?;
    let one = context.send(Request::new("get_lead", "GET", &format!("/leads/{id}"))).await?;
    demand::status(&one, 200)?;
    demand::same("the lead", &lead, demand::json(&one)?)
}
