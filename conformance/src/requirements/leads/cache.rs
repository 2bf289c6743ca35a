//! Caches do not store leads.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{About as _, Capability, Context, Exchange, Requirement, Verdict, demand, ensure, header_fields};
use crate::steps::lists::List;
use crate::steps::{self, lists};

const LEADS: &[Capability] = &[Capability::LEADS];

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![
        Requirement::new(
            "leads.cache.no-store",
            "The list of leads and a single lead have Cache-Control: no-store, or private and no-cache if they have an ETag.",
            &[
                Sentence("`private, no-cache` with an `ETag`; `no-store` or `private, no-cache` for successes of cancel and of lists other than leads; `no-store` in all other responses, also in errors."),
                Standard("RFC 9111", "5.2.2.5"),
            ],
            no_store,
        )
        .needs(LEADS),
    ]
}

async fn no_store(context: Context, _: Value) -> Verdict {
    let page = lists::page(&context, List::named("/leads"), "limit=1").await?;
    ensure_not_stored(&page)?;
    let Some(lead) = lists::rows(demand::json(&page)?).first() else { return Ok(()) };
    let one = context.send(steps::get_lead(demand::text(lead, "id")?)).await?;
    demand::status(&one, 200)?;
    ensure_not_stored(&one)
}

fn ensure_not_stored(response: &Exchange) -> Verdict {
    let control = header_fields::joined(&response.headers, "cache-control");
    let has = |name: &str| header_fields::has_directive(&control, name);
    let is_validated = response.headers.contains_key("etag") && has("private") && has("no-cache");
    ensure(has("no-store") || is_validated, "Cache-Control: no-store", || control.clone()).about(response)
}
