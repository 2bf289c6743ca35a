//! Faults in `auto_publish` and `publish_at`.

use chrono::{DateTime, Duration, Utc};
use futures::future::FutureExt;
use serde_json::{Map, Value, json};

use super::super::echo;
use super::super::fault::{Fault, fault};
use super::records::{edit_article, edit_entries};
use crate::clock;
use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, edit_objects, parse_time, write_time};

pub(super) const FAULTS: &[Fault] = &[
    fault(
        "state.approval-default",
        "A missing auto_publish is false, whatever the website's default is.",
        &["generate.defaults.website"],
    )
    .request(|request, _| {
        edit_order(request, |order| {
            order.entry("auto_publish").or_insert(json!(false));
        });
    }),
    fault(
        "state.draft-on-time",
        "The server publishes an article that waits for approval at its publish_at.",
        &["pipeline.publish-at.without-approval"],
    )
    .exchange(|exchange| draft_on_time(exchange).boxed())
    .response(drafts),
    fault(
        "state.minute-early",
        "The server publishes articles up to a minute early.",
        &["pipeline.publish-at.not-before"],
    )
    .exchange(|exchange| minute_early(exchange).boxed())
    .response(show_asked),
    fault(
        "state.dated-as-asked",
        "published_at is the requested time instead of the actual time.",
        &["pipeline.publish-at.past"],
    )
    .response(dated_as_asked)
    .hook(|hook, _, memory| hook.edit(|event| date_as_asked(event, memory))),
    fault("state.always-published", "The server ignores auto_publish: false.", &["pipeline.entry.ready"])
        .request(|request, _| edit_order(request, |order| change_approval(order, false))),
    fault("state.never-published", "The server ignores auto_publish: true.", &["pipeline.entry.published"])
        .request(|request, _| edit_order(request, |order| change_approval(order, true))),
    fault("state.publish-at-ignored", "publish_at is ignored.", &["pipeline.entry.scheduled"]).request(|request, _| {
        edit_order(request, |order| {
            if accepted_time(order).is_some() {
                order.remove("publish_at");
            }
        });
    }),
    fault("state.publish-at-local", "The server ignores the zone of publish_at.", &["pipeline.entry.zoned"]).request(
        |request, _| {
            edit_order(request, |order| {
                let text = order.get("publish_at").and_then(Value::as_str).unwrap_or_default();
                let local = text.get(..19).map(|local| format!("{local}Z"));
                if let Some(local) = local.filter(|_| accepted_time(order).is_some()) {
                    order.insert("publish_at".to_owned(), json!(local));
                }
            });
        },
    ),
    fault("state.publish-at-minutes", "The server rounds publish_at to whole minutes.", &["pipeline.entry.zoned"])
        .request(|request, _| {
            edit_order(request, |order| {
                if let Some(at) = accepted_time(order) {
                    let beyond = Duration::milliseconds(at.timestamp_millis().rem_euclid(60_000));
                    order.insert("publish_at".to_owned(), json!(write_time(at - beyond)));
                }
            });
        }),
];

/// Changes the requested publication.
pub(in crate::catalogue) fn edit_order(request: &mut Request, edit: impl FnOnce(&mut Map<String, Value>)) {
    if request.is(Operation::Generate) {
        request.edit(|order| {
            if let Some(order) = order.as_object_mut() {
                edit(order);
            }
        });
    }
}

/// Returns the requested `publish_at`, unless the server may refuse it.
pub(in crate::catalogue) fn accepted_time(order: &Map<String, Value>) -> Option<DateTime<Utc>> {
    let at = order.get("publish_at").and_then(Value::as_str).and_then(parse_time)?;
    (at < clock::now() + Duration::days(364)).then_some(at)
}

/// Replaces one value with the other.
fn change_approval(order: &mut Map<String, Value>, from: bool) {
    if let Some(approval) = order.get_mut("auto_publish").filter(|approval| **approval == from) {
        *approval = json!(!from);
    }
}

async fn draft_on_time(exchange: Exchange) -> Response {
    let order = exchange.request.json().unwrap_or_default();
    let has_time = order.as_object().and_then(accepted_time).is_some();
    if !exchange.request.is(Operation::Generate) || order["auto_publish"] != false || !has_time {
        return exchange.forward().await;
    }
    let response = echo::generate_as(&exchange, &["auto_publish"], |order| order["auto_publish"] = json!(true)).await;
    if let Some(job_id) = response.text("/job_id").filter(|_| response.is_success()) {
        exchange.memory.put(&draft_of(&job_id), true);
    }
    response
}

/// Shows an article that the server will publish at its time as a draft that waits for approval.
fn drafts(response: &mut Response, request: &Request, memory: &Memory) {
    echo::show(response, request, memory);
    let is_draft = |value: &Value| {
        let job_id = value["job_id"].as_str().unwrap_or_default();
        value["status"] == "scheduled" && memory.get(&draft_of(job_id)).is_some()
    };
    edit_entries(response, request, |entry| {
        if is_draft(entry) {
            entry["status"] = json!("ready");
        }
    });
    edit_article(response, request, |article| {
        if is_draft(article) {
            article["status"] = json!("draft");
        }
    });
}

fn draft_of(job_id: &str) -> String {
    format!("draft: {job_id}")
}

async fn minute_early(exchange: Exchange) -> Response {
    echo::generate_as(&exchange, &["publish_at"], |order| {
        if let Some(at) = order.as_object().and_then(accepted_time) {
            order["publish_at"] = json!(write_time(at - Duration::minutes(1)));
        }
    })
    .await
}

/// Shows the requested `publish_at`, in the server's form of times.
pub(in crate::catalogue) fn show_asked(response: &mut Response, request: &Request, memory: &Memory) {
    echo::show(response, request, memory);
    edit_entries(response, request, |entry| {
        if let Some(at) = entry["publish_at"].as_str().and_then(parse_time) {
            entry["publish_at"] = json!(write_time(at));
        }
    });
}

fn dated_as_asked(response: &mut Response, request: &Request, memory: &Memory) {
    if !response.is_success() {
        return;
    }
    let order = request.json().filter(|_| request.is(Operation::Generate)).unwrap_or_default();
    let at = order.as_object().and_then(accepted_time);
    if let (Some(at), Some(job_id)) = (at, response.text("/job_id")) {
        memory.put(&asked_of(&job_id), write_time(at));
    }
    response.edit(|body| date_as_asked(body, memory));
}

fn date_as_asked(value: &mut Value, memory: &Memory) {
    edit_objects(value, &mut |members| {
        let text = |name: &str| members.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
        let job_id = text("job_id").or_else(|| memory.world.other_of_pair(&text("id")?));
        let asked = job_id.and_then(|job_id| memory.get(&asked_of(&job_id)));
        if let Some((published, asked)) = members.get_mut("published_at").filter(|at| at.is_string()).zip(asked) {
            *published = asked;
        }
    });
}

fn asked_of(job_id: &str) -> String {
    format!("asked: {job_id}")
}
