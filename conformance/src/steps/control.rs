//! Controls: the same request without its flaw. Only where that is accepted, the flaw was the reason of a refusal: a target that refuses
//! everything, or has nothing, is not decided. The cases of a requirement share what a control found out.
//!
//! A control comes after the refusal, so that a finding costs none. Where it is refused, too, the case met nothing to judge, and the
//! search for one that fails goes on.

use std::sync::Arc;

use serde_json::{Value, json};

use super::lists::{self, List, POSTS};
use super::{articles, calls, lead_form, leads};
use crate::check::{Capability, Context, Credential, Exchange, Halt, Request, Verdict, demand};
use crate::spec::Profile;

/// The topic of orders that are placed to see them accepted, and cancelled at once.
const TOPIC: &str = "Sharpening a pencil";

/// The request without its flaw is accepted.
pub(crate) async fn accepted(context: &Context, request: Request) -> Verdict {
    let question = format!("{request:?}");
    let ask = async {
        let exchange = sent(context, request).await?;
        if exchange.succeeded() {
            return Ok(Value::Null);
        }
        Err(refused(&exchange))
    };
    context.asked_once(&question, Box::pin(ask)).await.map(drop)
}

/// An ordinary order is accepted.
pub(crate) async fn ordered(context: &Context) -> Verdict {
    accepted(context, calls::generate(&calls::quiet_request(context, TOPIC))).await
}

/// An ordinary order of the second account is accepted.
pub(crate) async fn ordered_by_other(context: &Context) -> Verdict {
    let mut body = calls::quiet_request(context, TOPIC);
    body["website_id"] = json!(context.facts().other_website_id);
    accepted(context, calls::generate(&body).by(Credential::Other)).await
}

/// The list is shown.
pub(crate) async fn listed(context: &Context, list: List) -> Verdict {
    accepted(context, list.page("limit=2")).await
}

/// The request without its flaw is answered with none of these `refusals`, although it may name nothing that is there; and the target
/// accepts requests at all.
pub(crate) async fn let_through(context: &Context, request: Request, refusals: &[u16]) -> Verdict {
    let question = format!("{request:?} without {refusals:?}");
    let ask = async {
        let exchange = sent(context, request).await?;
        if refusals.contains(&exchange.status) { Err(refused(&exchange)) } else { Ok(json!(exchange.succeeded())) }
    };
    if context.asked_once(&question, Box::pin(ask)).await? == true {
        return Ok(());
    }
    listed(context, List::named("/websites")).await
}

/// With the right key the request is let through. In core only ordering articles is known to be there.
pub(crate) async fn keyed(context: &Context, request: Request) -> Verdict {
    if context.document().profile() == Profile::Core {
        return ordered(context).await;
    }
    let request = request.by(Credential::Main);
    if request.operation == Some("generate") {
        return ordered(context).await;
    }
    let_through(context, request, &[401, 403]).await
}

/// An article that can be read: its ids, that of its job included.
pub(crate) async fn article(context: &Context) -> Result<Vec<String>, Halt> {
    let ask = async { articles::readable_about(context, TOPIC).await.map(|ids| json!(ids)).map_err(open("article")) };
    let ids = context.asked_once("an article", Box::pin(ask)).await?;
    Ok(ids.as_array().into_iter().flatten().filter_map(|id| id.as_str().map(ToOwned::to_owned)).collect())
}

/// A job that can be read, and was cancelled unless it was quicker.
pub(crate) async fn job(context: &Context) -> Verdict {
    let ask = async {
        let read = async {
            let job_id = calls::queue(context, &calls::quiet_request(context, TOPIC)).await?;
            demand::status(&*context.send(calls::get_job(&job_id)).await?, 200)?;
            let cancelled = context.send(calls::cancel_job(&job_id)).await?;
            if cancelled.status == 409 {
                return demand::problem(&cancelled, 409, &["job_not_cancellable"]);
            }
            demand::status(&cancelled, 200)
        };
        read.await.map(|()| Value::Null).map_err(open("job"))
    };
    context.asked_once("a job", Box::pin(ask)).await.map(drop)
}

/// A lead that can be read: one that is captured, or where the set-up knows no way, one that is there.
pub(crate) async fn lead(context: &Context) -> Verdict {
    let ask = async {
        let read = async {
            let lead = if context.facts().capabilities.contains(&Capability::CAPTURE) {
                let email = format!("{}@example.com", context.fresh("control"));
                leads::captured(context, &email, "Robin Control", "as usual").await?
            } else {
                let page = lists::page(context, List::named("/leads"), "limit=1").await?;
                let lead = lists::rows(demand::json(&page)?).first().cloned();
                lead.ok_or_else(|| Halt::Unmet("there is no lead that could be read".to_owned()))?
            };
            demand::status(&*context.send(calls::get_lead(demand::text(&lead, "id")?)).await?, 200)
        };
        read.await.map(|()| Value::Null).map_err(open("lead"))
    };
    context.asked_once("a lead", Box::pin(ask)).await.map(drop)
}

/// An entry of the pipeline that can be read.
pub(crate) async fn entry(context: &Context) -> Verdict {
    let ask = async {
        let read = async {
            lists::ensure_rows(context, POSTS, 1).await?;
            let page = lists::page(context, POSTS, "limit=1").await?;
            let entry = lists::rows(demand::json(&page)?).first().cloned();
            let entry = entry.ok_or_else(|| Halt::Unmet("there is no entry that could be read".to_owned()))?;
            demand::status(&*context.send(calls::get_scheduled_post(demand::text(&entry, "id")?)).await?, 200)
        };
        read.await.map(|()| Value::Null).map_err(open("entry"))
    };
    context.asked_once("an entry", Box::pin(ask)).await.map(drop)
}

/// An ordinary lead form of the website under test is taken.
pub(crate) async fn captured(context: &Context) -> Verdict {
    let ask = async {
        let email = format!("{}@example.com", context.fresh("control"));
        let form = lead_form::request(context, "POST", &context.facts().website_id)?.json(&json!({ "email": email }));
        let exchange = sent(context, form).await?;
        if exchange.succeeded() { Ok(Value::Null) } else { Err(refused(&exchange)) }
    };
    context.asked_once("a lead form", Box::pin(ask)).await.map(drop)
}

/// Sends it, and cancels what it ordered.
async fn sent(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let is_order = request.operation == Some("generate") && request.credential == Credential::Main;
    let exchange = context.send(request).await.map_err(open("answer"))?;
    if is_order && exchange.succeeded() {
        // Whether it can be cancelled is judged elsewhere.
        let _ = calls::discard_where_possible(context, &exchange).await;
    }
    Ok(exchange)
}

fn refused(exchange: &Exchange) -> Halt {
    let code = exchange.code().map(|code| format!(" {code}")).unwrap_or_default();
    Halt::Unmet(format!(
        "the same request without the flaw was refused with {}{code}: {} {}",
        exchange.status, exchange.request.method, exchange.request.path
    ))
}

/// That a control goes wrong is another requirement's finding.
fn open(what: &str) -> impl Fn(Halt) -> Halt {
    move |halt| match halt {
        Halt::Fail(finding) => Halt::Unmet(format!(
            "without the flaw there was no {what} to compare with: expected {}, observed {}",
            finding.expected, finding.observed
        )),
        Halt::Inconclusive(reason) => Halt::Unmet(reason),
        other => other,
    }
}
