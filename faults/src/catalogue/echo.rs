//! Sends a changed generation request to the server. Responses still show the caller's original.

use serde_json::{Map, Value};

use crate::edge::Exchange;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, edit_objects};

/// Sends a generation request with another body. From then on [`show`] writes the `members` of the original into the
/// job, its article and its scheduled post. Forwards other requests.
pub(super) async fn generate_as(exchange: &Exchange, members: &[&str], change: impl FnOnce(&mut Value)) -> Response {
    let Some(original) = exchange.request.json().filter(|_| exchange.request.is(Operation::Generate)) else {
        return exchange.forward().await;
    };
    let mut request = exchange.request.clone();
    request.edit(change);
    let response = exchange.send(request).await;
    if let Some(job_id) = response.text("/job_id").filter(|_| response.is_success()) {
        let sent: Map<String, Value> =
            members.iter().filter_map(|member| Some(((*member).to_owned(), original.get(member)?.clone()))).collect();
        exchange.memory.put(&slot(&job_id), sent);
    }
    response
}

/// Writes the caller's original values into a response that shows a job queued by [`generate_as`].
pub(super) fn show(response: &mut Response, _: &Request, memory: &Memory) {
    if !response.is_success() {
        return;
    }
    response.edit(|body| {
        edit_objects(body, &mut |members| {
            let text = |name: &str| members.get(name).and_then(Value::as_str);
            let job_id = text("job_id").or_else(|| text("article_id")).or_else(|| text("id")).map(ToOwned::to_owned);
            let Some(id) = job_id else { return };
            let sent = memory.get(&slot(&id)).or_else(|| memory.get(&slot(&memory.world.other_of_pair(&id)?)));
            for (name, value) in sent.iter().filter_map(Value::as_object).flatten() {
                if let Some(member) = members.get_mut(name) {
                    member.clone_from(value);
                }
            }
        });
    });
}

fn slot(job_id: &str) -> String {
    format!("sent: {job_id}")
}
