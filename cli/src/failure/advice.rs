//! Converts an error of the SDK for the user of the command: exit code and advice.

use contentgen_sdk::{Error, ErrorKind, RetrySafety};
use serde_json::json;

use super::exit::Exit;
use super::members::forms;
use super::report::{Details, Failure};

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let mut failure = Self::new(exit(&error), format!("{error:#}"));
        *failure.details = details(&error);
        match advice(&error) {
            Some(advice) => failure.advise(advice),
            None => failure,
        }
    }
}

/// Returns the exit code of an error.
fn exit(error: &Error) -> Exit {
    match error.kind() {
        ErrorKind::Config | ErrorKind::InvalidRequest => Exit::Usage,
        ErrorKind::Connect | ErrorKind::Transport => Exit::Unreachable,
        ErrorKind::WaitTimeout => Exit::TimedOut,
        ErrorKind::Timeout if error.job_id().is_some() => Exit::TimedOut,
        ErrorKind::Timeout => Exit::Unreachable,
        ErrorKind::Generation => Exit::NoArticle,
        _ if matches!(error.code(), Some("website_inactive")) => Exit::Failed,
        _ if error.status().is_some_and(|status| matches!(status.as_u16(), 401 | 403)) => Exit::Unauthorized,
        // The article was requested by the id of a job that ended without one.
        _ if matches!(error.code(), Some("generation_failed" | "generation_cancelled")) => Exit::NoArticle,
        _ => Exit::Failed,
    }
}

/// Returns the details of an error for programs.
fn details(error: &Error) -> Details {
    let faults = error.problem().map(|problem| &problem.errors).filter(|faults| !faults.is_empty());
    Details {
        status: error.status().map(|status| status.as_u16()),
        code: error.code().or_else(|| Some(error.job_error()?.code.as_str())).map(str::to_owned),
        request_id: error.request_id().map(str::to_owned),
        job_id: error.job_id().map(str::to_owned),
        idempotency_key: error.idempotency_key().map(str::to_owned),
        id: error.unreadable_item().and_then(|item| item.id.clone()),
        pointer: error.unreadable_item().map(|item| item.pointer.clone()),
        page_token: None,
        retry_after_seconds: error.retry_after().map(|pause| pause.as_secs()),
        errors: faults.map(|faults| json!(faults)),
    }
}

/// Returns advice about an error, if there is any.
fn advice(error: &Error) -> Option<String> {
    let advice = next_step(error);
    let may_have_queued = matches!(
        error.kind(),
        ErrorKind::Timeout | ErrorKind::Transport | ErrorKind::UnexpectedResponse | ErrorKind::TooLarge
    ) || error.status().is_some_and(|status| status.is_server_error());
    match error.idempotency_key() {
        Some(key) if may_have_queued => {
            let advice = advice.map_or_else(String::new, |advice| format!("{advice}, "));
            Some(format!(
                "{advice}with `--idempotency-key {key}`: the article may already be queued, and the key finds it"
            ))
        }
        _ => advice,
    }
}

/// Returns the next step for the user.
fn next_step(error: &Error) -> Option<String> {
    let advice = match (error.kind(), error.code()) {
        (ErrorKind::Connect, _) => {
            "check that the server is running, and check its address in CONTENTGEN_BASE_URL or --base-url".to_owned()
        }
        (ErrorKind::Timeout | ErrorKind::WaitTimeout, _) => match error.job_id() {
            Some(job_id) => Failure::take_up(job_id),
            None => "the server is slow or unreachable; try again".to_owned(),
        },
        (ErrorKind::Transport, _) => {
            "the connection is unstable, or the address is not that of an API server; try again".to_owned()
        }
        // The address is right, because the rest of the page could be read.
        (ErrorKind::UnexpectedResponse, _) if error.unreadable_item().is_some() => return None,
        (ErrorKind::UnexpectedResponse, _) => {
            "check that CONTENTGEN_BASE_URL or --base-url is the address of an API server".to_owned()
        }
        (ErrorKind::Generation, _) => "queue it again with `contentgen generate`, or change the request".to_owned(),
        (_, Some(code)) => return advice_on(code, error),
        (ErrorKind::Api, None) => later(error),
        _ => return None,
    };
    Some(advice)
}

/// Returns advice about a problem code of the server.
fn advice_on(code: &str, error: &Error) -> Option<String> {
    let advice = match code {
        "invalid_credentials" | "missing_credentials" => {
            "the server does not know this key; set CONTENTGEN_API_KEY to a key of this server \
             (a demonstration server creates new keys at each start)"
        }
        "insufficient_scope" => "the key lacks the API scope for this; set CONTENTGEN_API_KEY to a key that has it",
        "validation_failed" => return forms(error.field_errors()),
        "website_not_found" => "`contentgen websites` lists the websites of this key",
        "website_inactive" => "the website is not active; `contentgen websites` shows the status of each website",
        "article_not_found" => "give the id of an article, or of a job that has ended, in the account of this key",
        "article_not_ready" => "`contentgen wait` with the job's id waits until it is written",
        "job_not_found" => "give the id that `contentgen generate` printed, with a key of the same account",
        "lead_not_found" => "`contentgen leads` lists the leads that this key can read",
        "scheduled_post_not_found" => "`contentgen posts` lists the scheduled posts that this key can read",
        "job_not_cancellable" => "the job has ended already; `contentgen jobs get` shows how",
        "generation_failed" | "generation_cancelled" => "`contentgen jobs get` with the job's id shows why",
        "idempotency_mismatch" => "this idempotency key was used for another request; choose another --idempotency-key",
        "idempotency_in_flight" => "the same request is still in progress; try again in a moment",
        _ if error.retry_safety() != RetrySafety::Never => return Some(later(error)),
        _ => return None,
    };
    Some(advice.to_owned())
}

/// Returns the time of the next attempt, as far as the server gave one.
fn later(error: &Error) -> String {
    match error.retry_after() {
        Some(pause) => format!("try again in {} s", pause.as_secs().max(1)),
        None => "try again later".to_owned(),
    }
}
