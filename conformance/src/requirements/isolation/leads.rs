//! Leads of another account.

use serde_json::Value;

use crate::check::Source::Sentence;
use crate::check::{Capability, Context, Credential, Requirement, Verdict, demand, ensure};
use crate::steps::accounts::unknown_to_other;
use crate::steps::lists::List;
use crate::steps::{self, lists};

const TWO_LEADS: &[Capability] = &[Capability::ISOLATION, Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "isolation.leads.unknown",
            "Reading another account's lead returns 404 lead_not_found, and the list of leads does not contain it.",
            &[
                Sentence("A key reaches only the data of its account."),
                Sentence("To a key all other data looks as if it did not exist."),
                Sentence("The id is unknown, or the key may not use it."),
            ],
            leads,
        )
        .needs(TWO_LEADS),
    ]
}

async fn leads(context: Context, _: Value) -> Verdict {
    let email = format!("{}@example.com", context.fresh("foreign"));
    let lead = steps::leads::captured(&context, &email, "Foreign reader", "hello").await?;
    unknown_to_other(&context, steps::get_lead(demand::text(&lead, "id")?), "lead_not_found").await?;
    let page = context.send(List::named("/leads").page("limit=100").by(Credential::Other)).await?;
    let is_foreign = |row: &&Value| row["email"].as_str().is_some_and(|text| text.eq_ignore_ascii_case(&email));
    let foreign = lists::rows(demand::json(&page)?).iter().find(is_foreign);
    ensure(foreign.is_none(), "no lead of another account in the list", || {
        foreign.map_or_else(String::new, demand::brief)
    })
}
