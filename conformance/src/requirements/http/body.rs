//! Bodies of requests that need none.

use serde_json::Value;

use crate::check::Source::{Sentence, Standard};
use crate::check::{Context, Requirement, Verdict, demand, ensure};
use crate::steps::lists::List;
use crate::steps::{control, lists};

pub(crate) fn requirements() -> Vec<Requirement> {
    vec![Requirement::new(
        "http.body.ignored-on-get",
        "A small body of a GET request has no effect: the response is the same as without it, or a refusal with 4xx.",
        &[
            Standard("RFC 9110", "9.3.1"),
            Sentence("No request makes the service fail: 500 has a cause outside of the request."),
        ],
        body_on_get,
    )]
}

async fn body_on_get(context: Context, _: Value) -> Verdict {
    let list = List::named("/websites");
    let exchange = context.send(list.page("").bytes("application/json", b"{\"a\":1".to_vec())).await?;
    if (400..500).contains(&exchange.status) {
        return control::listed(&context, list).await;
    }
    demand::status(&exchange, 200)?;
    lists::is_page(&exchange)?;
    let page = lists::page(&context, list, "").await?;
    let [seen, wanted] = [list.ids(demand::json(&exchange)?), list.ids(demand::json(&page)?)];
    ensure(seen == wanted, "the same websites as without a body", || format!("{seen:?}"))
}
