//! A failure in its forms for people and for programs.

use serde::Serialize;
use serde_json::{Value, json};

use super::exit::{Exit, Signal};
use crate::text::on_one_line;

/// Failure of a command.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    message: String,
    advice: Option<String>,
    pub(super) details: Box<Details>,
}

/// Details of the failed call.
#[derive(Debug, Default, Serialize)]
pub(super) struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) job_id: Option<String>,
    /// Idempotency key for a retry of the call without queueing twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) idempotency_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_seconds: Option<u64>,
    /// Id of an item of a list that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// Place of such an item on its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pointer: Option<String>,
    /// Token of the page of such an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) page_token: Option<String>,
    /// Faults of the request, as reported by the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) errors: Option<Value>,
}

impl Failure {
    /// Makes a failure with a message.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), advice: None, details: Box::default() }
    }

    /// Makes the failure of a mistake on the command line or in the environment.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Makes the silent failure of a closed output, such as after `| head`.
    pub(crate) fn nobody_reads() -> Self {
        Self::new(Exit::Done, "the reader of the output has ended")
    }

    /// Makes the failure of Ctrl-C or a termination signal.
    pub(crate) fn stopped(signal: Signal) -> Self {
        match signal {
            Signal::Interrupt => Self::new(Exit::Interrupted, "interrupted"),
            Signal::Terminate => Self::new(Exit::Terminated, "terminated"),
        }
    }

    /// Adds the job that was waited for and that continues.
    pub(crate) fn while_waiting(self, job_id: &str) -> Self {
        self.of_job(job_id).advise(Self::take_up(job_id))
    }

    /// Adds the idempotency key of the article that was being queued.
    pub(crate) fn while_queueing(mut self, idempotency_key: &str) -> Self {
        self.details.idempotency_key = Some(idempotency_key.to_owned());
        self.advise(format!(
            "the article may already be queued; repeat the command with `--idempotency-key {idempotency_key}` to find it"
        ))
    }

    /// Adds the option that continues the list at the page that could not be read.
    pub(crate) fn resumed_by(mut self, option: &str) -> Self {
        let advice = self.advice.take().map_or_else(String::new, |advice| format!("{advice}; "));
        self.advise(format!("{advice}`{option}` continues the list"))
    }

    /// Adds the token of the page of an item that could not be read. The first page has none.
    pub(crate) fn on_page(mut self, token: Option<&str>) -> Self {
        self.details.page_token = token.map(str::to_owned);
        match token {
            Some(token) => self.advise(format!("`--page-token {token}` lists its page")),
            None => self,
        }
    }

    /// Sets the advice.
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Sets the job.
    pub(super) fn of_job(mut self, job_id: &str) -> Self {
        self.details.job_id = Some(job_id.to_owned());
        self
    }

    /// Returns advice about waiting for a job again.
    pub(super) fn take_up(job_id: &str) -> String {
        format!("the job continues; `contentgen wait {job_id}` waits for it again")
    }

    /// Formats the failure for people: message, advice, and the request id for the server's operators.
    pub(crate) fn words(&self) -> String {
        let mut lines = vec![format!("error: {}", on_one_line(&self.message))];
        lines.extend(self.advice.iter().map(|advice| format!("  {}", on_one_line(advice))));
        lines.extend(self.details.request_id.iter().map(|id| format!("  request id: {}", on_one_line(id))));
        lines.join("\n") + "\n"
    }

    /// Formats the failure for programs.
    pub(crate) fn json(&self) -> Value {
        let mut error = json!({ "kind": self.exit.word(), "exit_code": self.exit as u8, "message": self.message });
        if let Some(members) = error.as_object_mut() {
            members.extend(self.advice.as_ref().map(|advice| ("advice".to_owned(), json!(advice))));
            if let Ok(Value::Object(details)) = serde_json::to_value(&self.details) {
                members.extend(details);
            }
        }
        json!({ "error": error })
    }
}
