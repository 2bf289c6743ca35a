//! Leads of another account do not exist.

use serde_json::Value;

use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps;
use crate::steps::lists::List;

const SOURCE: &str = "openapi.yaml, x-problem-codes: unknown and foreign ids are answered alike";

const TWO_LEADS: &[Capability] = &[Capability::ISOLATION, Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "isolation.leads.unknown",
            "Another account's lead is answered 404 lead_not_found and is in none of the lists.",
            SOURCE,
            leads,
        )
        .needs(TWO_LEADS),
    ]
}

async fn leads(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("foreign"));
    let lead = steps::leads::captured(&context, &email, "Foreign reader", "hello").await?;
    let id = demand::text(&lead, "id")?;
    let request = steps::get_lead(id).by(Credential::Other);
    demand::problem(&*context.send(request).await?, 404, &["lead_not_found"])?;
    let list = List::named("/leads");
    let page = context.send(list.page("limit=100").by(Credential::Other)).await?;
    let found = list.ids(demand::json(&page)?).contains(&id.to_owned());
    ensure(!found, "no foreign lead in the list", || id.to_owned())
}
