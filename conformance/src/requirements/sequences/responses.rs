//! All responses of a run about each job, compared with the `model`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::check::Source::Sentence;
use crate::check::{Capability, Credential, Exchange, Finding, Requirement};
use crate::model::job::{Answer, Call, Job};
use crate::model::{Event, Explanation, diagram, explain};
use crate::steps::histories::{self, Clock};
use crate::steps::observing;

/// Maximum number of jobs that are followed, maximum length of their ids in bytes, and number of responses that are kept of each.
const MAX_JOBS: usize = 20_000;
const MAX_ID: usize = 256;
const EVENTS_PER_JOB: usize = 12;

pub(crate) fn requirements() -> Vec<Requirement> {
    let records = Records { clock: Clock::default(), jobs: Mutex::default() };
    vec![
        Requirement::new(
            "sequences.responses.consistent",
            "The last responses of a run about a job, its article and its scheduled post have an order in which each follows from the earlier ones.",
            &[
                Sentence(
                    "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.",
                ),
                Sentence("Once `done` is true, the body and its `ETag` no longer change."),
                Sentence("`published` and `cancelled` are final."),
                Sentence("If the job completed or failed, it is 409 `job_not_cancellable`."),
                Sentence("Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`."),
                Sentence(
                    "If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`.",
                ),
            ],
            observing::call_each_operation,
        )
        .needs(&[Capability::JOBS])
        .observing(move |_, _, exchange| records.compare(exchange)),
    ]
}

/// The last responses about each job.
struct Records {
    clock: Clock,
    jobs: Mutex<HashMap<String, Vec<Event<Call, Answer>>>>,
}

impl Records {
    /// Compares an exchange with the earlier ones about the same jobs. Returns `None` if it concerns no job.
    fn compare(&self, exchange: &Exchange) -> Option<Result<(), Finding>> {
        // Another account may give its jobs the same ids. A list may lag behind the single objects.
        let is_list = exchange.request.operation == Some("list_scheduled_posts");
        if exchange.request.credential != Credential::Main || is_list {
            return None;
        }
        let shown = histories::of_jobs(exchange);
        let known = shown.into_iter().filter(|(.., answer)| !matches!(answer, Answer::Other(_)));
        let results = known.map(|(id, call, answer)| self.add(id, call, answer, exchange));
        results.reduce(Result::and)
    }

    fn add(&self, id: String, call: Call, answer: Answer, exchange: &Exchange) -> Result<(), Finding> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if id.len() > MAX_ID || (jobs.len() >= MAX_JOBS && !jobs.contains_key(&id)) {
            return Ok(());
        }
        let events = jobs.entry(id).or_default();
        let [begun, ended] = [exchange.begun, exchange.ended].map(|instant| self.clock.at(instant));
        let event = Event { client: 0, call, answer: Some(answer), begun, ended };
        if let Some(last) = events.last_mut()
            && last.ended < begun
            && last.call == call
            && last.answer == event.answer
        {
            *last = event;
            return Ok(());
        }
        events.push(event);
        if events.len() > EVENTS_PER_JOB {
            events.remove(0);
        }
        // A cancel whose response has not arrived yet may explain the others.
        let cancel = Event { client: 0, call: Call::Cancel, answer: None, begun: 0, ended: 0 };
        let all: Vec<_> = events.iter().cloned().chain([cancel]).collect();
        let rules = Job { is_published: true };
        let Explanation::Contradiction(contradiction) = explain(&rules, rules.all_states(), &all) else {
            return Ok(());
        };
        let observed = diagram(events, contradiction.event);
        // Later responses are compared with each other.
        events.clear();
        Err(Finding::new(contradiction.expected(), observed))
    }
}
