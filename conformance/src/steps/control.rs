//! Control requests: the same request without its flaw. The flaw caused a refusal only if the control is accepted. A
//! target that refuses everything, or has no records, is not decided. The cases of a requirement share the result of a
//! control.
//!
//! A control comes after the refusal, so that a finding needs none. If the control is refused, too, the case is not
//! decided, and the search for a failing one continues.

use std::sync::Arc;

use serde_json::{Value, json};

use super::lists::{self, List, POSTS};
use super::{articles, calls, lead_form, leads};
use crate::check::{Capability, Context, Credential, Exchange, Halt, Request, Verdict, demand};
use crate::spec::Profile;

/// Topic of requests that are sent to be accepted, and cancelled immediately.
const TOPIC: &str = "Sharpening a pencil";

/// Demands that the request without its flaw is accepted.
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

/// Demands that an ordinary request for an article is accepted.
pub(crate) async fn ordered(context: &Context) -> Verdict {
    accepted(context, calls::generate(&calls::quiet_request(context, TOPIC))).await
}

/// Demands that an ordinary request of the second account is accepted.
pub(crate) async fn ordered_by_other(context: &Context) -> Verdict {
    let mut body = calls::quiet_request(context, TOPIC);
    body["website_id"] = json!(context.facts().other_website_id);
    accepted(context, calls::generate(&body).by(Credential::Other)).await
}

/// Demands that the list is returned.
pub(crate) async fn listed(context: &Context, list: List) -> Verdict {
    accepted(context, list.page("limit=2")).await
}

/// Demands that the response to the request without its flaw has a status outside of `refusals`, although the named
/// record may not exist, and that the target accepts requests at all.
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

/// Demands that the request is accepted with a valid key. In core only `generate` is known to exist.
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

/// Returns the ids of a readable article, including that of its job.
pub(crate) async fn article(context: &Context) -> Result<Vec<String>, Halt> {
    let ask = async { articles::readable_about(context, TOPIC).await.map(|ids| json!(ids)).map_err(open("article")) };
    let ids = context.asked_once("an article", Box::pin(ask)).await?;
    Ok(ids.as_array().into_iter().flatten().filter_map(|id| id.as_str().map(ToOwned::to_owned)).collect())
}

/// Demands a readable job. It is cancelled unless it ends before.
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

/// Demands a readable lead: a new one, or an existing one if the set-up cannot capture leads.
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

/// Demands a readable scheduled post.
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

/// Demands that an ordinary lead form of the website under test is accepted.
pub(crate) async fn captured(context: &Context) -> Verdict {
    let ask = async {
        let email = format!("{}@example.com", context.fresh("control"));
        let form = lead_form::request(context, "POST", &context.facts().website_id)?.json(&json!({ "email": email }));
        let exchange = sent(context, form).await?;
        if exchange.succeeded() { Ok(Value::Null) } else { Err(refused(&exchange)) }
    };
    context.asked_once("a lead form", Box::pin(ask)).await.map(drop)
}

/// Sends the request, and cancels the job that it created.
async fn sent(context: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let is_order = request.operation == Some("generate") && request.credential == Credential::Main;
    let exchange = context.send(request).await.map_err(open("answer"))?;
    if is_order && exchange.succeeded() {
        // Other requirements check whether it can be cancelled.
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

/// Returns an undecided result for a failed control, because it is another requirement's finding.
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
