//! Jobs, articles and leads that are read by their ids.

use serde_json::{Value, json};

use super::super::fault::{Fault, fault};
use crate::message::{Operation, Request, Response, remove_member};

pub(super) const FAULTS: &[Fault] = &[
    fault("contract.attempts-text", "attempts of a job is a text.", &["answers.get-job.schema"]).response(
        |response, request, _| edit_of(Operation::GetJob, response, request, |job| write_as_text(job, "attempts")),
    ),
    fault("contract.status-of-its-own", "A completed job has the status succeeded.", &["answers.vocabulary.known"])
        .response(|response, request, _| {
            edit_of(Operation::GetJob, response, request, |job| {
                if job["status"] == "completed" {
                    job["status"] = json!("succeeded");
                }
            });
        }),
    fault("contract.no-done", "A job omits the field done.", &["answers.get-job.schema"]).response(
        |response, request, _| {
            edit_of(Operation::GetJob, response, request, |job| {
                remove_member(job, "done");
            });
        },
    ),
    fault("contract.text-html", "Responses have the media type text/html.", &["answers.get-job.schema"]).response(
        |response, _, _| {
            if response.is_success() {
                response.change("content-type", |_| "text/html".to_owned());
            }
        },
    ),
    fault(
        "contract.cancel-empty",
        "A cancel gets 200 without a body.",
        &["answers.cancel-job.schema", "jobs.cancel.ends"],
    )
    .response(|response, request, _| {
        if request.is(Operation::CancelJob) && response.is_success() {
            response.body = bytes::Bytes::new();
        }
    }),
    fault("contract.cancel-204", "A cancel gets 204.", &["jobs.cancel.ends"]).response(|response, request, _| {
        if request.is(Operation::CancelJob) && response.is_success() {
            response.status = 204;
            response.body = bytes::Bytes::new();
            response.remove("content-type");
        }
    }),
    fault("contract.words-text", "word_count of an article is a text.", &["answers.get-article.schema"]).response(
        |response, request, _| {
            edit_of(Operation::GetArticle, response, request, |article| write_as_text(article, "word_count"));
        },
    ),
    fault("contract.no-outline", "An article omits its outline.", &["answers.get-article.schema"]).response(
        |response, request, _| {
            edit_of(Operation::GetArticle, response, request, |article| {
                remove_member(article, "outline");
            });
        },
    ),
    fault(
        "contract.entry-attempts-text",
        "attempts of a scheduled post that is read by its id is a text.",
        &["answers.get-scheduled-post.schema"],
    )
    .response(|response, request, _| {
        edit_of(Operation::GetScheduledPost, response, request, |entry| write_as_text(entry, "attempts"));
    }),
    fault("contract.fields-null", "fields of a lead is null.", &["answers.get-lead.schema"]).response(
        |response, request, _| {
            edit_of(Operation::GetLead, response, request, |lead| lead["fields"] = Value::Null);
        },
    ),
];

fn edit_of(operation: Operation, response: &mut Response, request: &Request, edit: fn(&mut Value)) {
    if request.is(operation) && response.is_success() {
        response.edit(edit);
    }
}

fn write_as_text(record: &mut Value, name: &str) {
    if let Some(member) = record.get_mut(name) {
        *member = json!(member.to_string());
    }
}
