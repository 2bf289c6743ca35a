//! The order of the list of leads.

use serde_json::Value;

use crate::check::{Capability, Context, Requirement, Verdict, demand, ensure};
use crate::steps::leads::captured;
use crate::steps::lists::List;
use crate::steps::{self, lists};

const CAPTURE: &[Capability] = &[Capability::LEADS, Capability::CAPTURE];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::must(
            "leads.list.newest-first",
            "The list of leads is sorted by captured_at, newest first.",
            "openapi.yaml, list_leads",
            newest_first,
        )
        .needs(CAPTURE),
    ]
}

async fn newest_first(context: Context, _: Value) -> Verdict {
    let older = format!("{}@example.com", context.fresh("older"));
    let newer = format!("{}@example.com", context.fresh("newer"));
    captured(&context, &older, "Robin", "older").await?;
    captured(&context, &newer, "Robin", "newer").await?;
    // The same form again is the lead that there is, captured when it was.
    steps::capture(&context, &older, "Robin", "older").await?;
    let page = lists::page(&context, List::named("/leads"), "limit=100").await?;
    let times: Vec<&str> =
        lists::rows(demand::json(&page)?).iter().filter_map(|row| row["captured_at"].as_str()).collect();
    let sorted = times.windows(2).all(|pair| pair[0] >= pair[1]);
    ensure(sorted && !times.is_empty(), "captured_at that never grows down the page", || times.join(" "))
}
