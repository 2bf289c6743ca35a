//! Nobody may keep a lead.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::lists;
use crate::steps::lists::List;

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.cache.no-store",
            "Leads are personal data: they are served with Cache-Control: no-store.",
            "RFC 9111, section 5.2.2.5; openapi.yaml, list_leads",
            no_store,
        )
        .needs(LEADS),
    ]
}

async fn no_store(context: Context, _: Value) -> Verdict {
    let page = lists::page(&context, List::named("/leads"), "limit=1").await?;
    let control = demand::header(&page, "cache-control")?;
    ensure(control.contains("no-store"), "Cache-Control: no-store", || control.to_owned())
}
