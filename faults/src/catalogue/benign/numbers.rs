//! Ids that are numbers of a table, so that a job and a lead may share one. An article has the number of its job,
//! because either id identifies it.

use serde_json::Value;

use super::super::fault::{Fault, Profile, variant};
use super::identities::take_back_from_form;
use crate::memory::Memory;
use crate::message::{Operation, Request, Response, encode};

const JOB: &str = "job";
const ARTICLE: &str = "article";
const LEAD: &str = "lead";
const POST: &str = "post";

pub(super) const FAULTS: &[Fault] = &[variant(
    "benign.ids-per-table",
    "Ids are the numbers 1, 2, … of each table, the same for a job and a lead: \"Ids are opaque strings\".",
    Profile::Full,
)
.request(take_back)
.response(hand_out)
.hook(|hook, _, memory| {
    hook.edit(|event| {
        let Some(data) = event.get_mut("data") else { return };
        number_record(data, None, memory);
        for (name, table) in [("lead", Some(LEAD)), ("article", Some(ARTICLE)), ("job", None)] {
            data.get_mut(name).into_iter().for_each(|record| number_record(record, table, memory));
        }
    });
})];

fn outward(table: &str, id: &str) -> String {
    format!("number of {table}: {id}")
}

fn inward(table: &str, number: &str) -> String {
    format!("{table} with number: {number}")
}

/// Assigns this number to an id, unless the id has a number or the number is taken.
fn keep(table: &str, id: &str, number: &str, memory: &Memory) -> String {
    if let Some(known) = memory.text(&outward(table, id)) {
        return known;
    }
    if memory.get_or_put(&inward(table, number), id) != id {
        return next(table, id, memory);
    }
    memory.get_or_put(&outward(table, id), number).as_str().unwrap_or(number).to_owned()
}

fn next(table: &str, id: &str, memory: &Memory) -> String {
    // Articles share the numbers of jobs.
    let counted = if table == ARTICLE { JOB } else { table };
    keep(table, id, &(memory.next_number(counted) + 1).to_string(), memory)
}

/// Returns the number of an id; a new id gets the next one.
fn number(table: &str, id: &str, memory: &Memory) -> String {
    memory.text(&outward(table, id)).unwrap_or_else(|| next(table, id, memory))
}

/// Numbers the ids of a record. Its own is in `id`, of the table `own`.
fn number_record(record: &mut Value, own: Option<&str>, memory: &Memory) {
    let text = |name: &str| record.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let article = if own == Some(ARTICLE) { "id" } else { "article_id" };
    if let (Some(job), Some(article)) = (text("job_id"), text(article)) {
        let known = memory.text(&outward(ARTICLE, &article));
        let number = known.map_or_else(|| number(JOB, &job, memory), |known| keep(JOB, &job, &known, memory));
        keep(ARTICLE, &article, &number, memory);
    }
    let names = [("job_id", JOB), ("article_id", ARTICLE), ("scheduled_post_id", POST)];
    for (name, table) in names.into_iter().chain(own.map(|own| ("id", own))) {
        if let Some(Value::String(id)) = record.get_mut(name) {
            *id = number(table, id, memory);
        }
    }
}

/// Returns the table of the records that an operation shows, if they have an `id`.
fn table_of(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::ListArticles | Operation::GetArticle => Some(ARTICLE),
        Operation::ListLeads | Operation::GetLead => Some(LEAD),
        Operation::ListScheduledPosts | Operation::GetScheduledPost => Some(POST),
        _ => None,
    }
}

/// Returns the server's id for a number. The server's own ids are unknown to callers.
fn own_id(tables: &[&str], sent: &str, memory: &Memory) -> String {
    let known = tables.iter().find_map(|table| memory.text(&inward(table, sent)));
    let is_own = || [JOB, ARTICLE, LEAD, POST].iter().any(|table| memory.get(&outward(table, sent)).is_some());
    known.unwrap_or_else(|| if is_own() { format!("{sent}-of-no-table") } else { sent.to_owned() })
}

fn take_back(request: &mut Request, memory: &Memory) {
    let tables: &[&str] = match request.operation() {
        Some(Operation::GetJob | Operation::CancelJob) => &[JOB],
        // A read by the id of its job shows the article's own id.
        Some(Operation::GetArticle) => &[JOB, ARTICLE],
        Some(Operation::GetLead) => &[LEAD],
        Some(Operation::GetScheduledPost) => &[POST],
        _ => &[],
    };
    if let Some(id) = request.id().filter(|_| !tables.is_empty()) {
        let own = own_id(tables, &id, memory);
        if own != id {
            request.set_id(&own);
        }
    }
    if let Some(id) = request.parameter("article_id").filter(|_| request.is(Operation::ListLeads)) {
        request.set_parameter("article_id", &own_id(&[ARTICLE], &id, memory));
    }
    if request.is(Operation::CaptureLead) {
        take_back_from_form(request, |id| own_id(&[ARTICLE], id, memory));
    }
}

fn hand_out(response: &mut Response, request: &Request, memory: &Memory) {
    let Some(operation) = request.operation().filter(|operation| *operation != Operation::CaptureLead) else { return };
    let table = table_of(operation);
    response.remove("content-length");
    if !response.is_success() {
        response.edit(|problem| {
            if problem.get("instance").is_some() {
                problem["instance"] = request.public_path().into();
            }
        });
    } else if operation.is_list() {
        response.edit_rows(|row| number_record(row, table, memory));
    } else {
        response.edit(|record| number_record(record, table, memory));
    }
    for (name, table) in [("location", JOB), ("content-location", ARTICLE)] {
        response.change(name, |address| {
            let (begin, last) = address.rsplit_once('/').unwrap_or_default();
            let id = Request::get(&format!("/api/v1/jobs/{last}")).id().unwrap_or_default();
            format!("{begin}/{}", encode(&number(table, &id, memory)))
        });
    }
    if let Some(sent) = request.parameter("article_id") {
        let own = own_id(&[ARTICLE], &sent, memory);
        let [own, sent] = [own, sent].map(|id| format!("article_id={}", encode(&id)));
        response.change("link", |link| link.replace(&own, &sent));
    }
}
