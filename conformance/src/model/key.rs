//! The rules of one idempotency key.

use std::collections::BTreeSet;
use std::fmt;

use super::machine::{Allowed, Machine};

const FIRST: &str = "The job is queued.";
const REPLAY: &str = "For 24 hours the same key with the same body queues nothing and returns the first success again, with `Idempotency-Replayed: true`.";
const MISMATCH: &str = "The key was used before with another body.";
const WAITED: &str = "A server may wait for the first request instead and send its response.";
const IN_FLIGHT: &str = "The first request with this key is still being processed; `Retry-After` is 1.";

/// State of a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// No request with the key has succeeded.
    Free,
    /// A request with the key has succeeded.
    Kept {
        /// Number of its body.
        body: usize,
        /// Number of its job, if a response has shown it.
        job: Option<usize>,
    },
}

/// `POST /generate` with the key.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// Number of the body.
    pub body: usize,
    /// True if the first call with the key may have been processed at the same time.
    pub is_contended: bool,
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "generate with body {}", self.body)
    }
}

/// A response to `generate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// 2xx with a job.
    Queued {
        /// Number of the job. `None` in an allowed response stands for any job that no other key has.
        job: Option<usize>,
        /// True with `Idempotency-Replayed: true`.
        is_replay: bool,
    },
    /// 422 `idempotency_mismatch`
    Mismatch,
    /// 409 `idempotency_in_flight`
    InFlight,
    /// Any other response. The rules never allow it.
    Other(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued { job, is_replay } => {
                let kind = if *is_replay { "replayed" } else { "new" };
                let job = job.map_or_else(String::new, |job| format!(" {job}"));
                write!(formatter, "202, {kind} job{job}")
            }
            Self::Mismatch => formatter.write_str("422 idempotency_mismatch"),
            Self::InFlight => formatter.write_str("409 idempotency_in_flight"),
            Self::Other(response) => formatter.write_str(response),
        }
    }
}

/// The rules of a key.
#[derive(Debug, Clone, Default)]
pub struct Key {
    /// Numbers of the jobs that calls with other keys have queued.
    pub jobs_of_other_keys: BTreeSet<usize>,
}

impl Machine for Key {
    type State = State;
    type Call = Call;
    type Answer = Answer;

    fn steps(&self, _: &State) -> Vec<State> {
        Vec::new()
    }

    fn allowed(&self, state: &State, call: &Call) -> Vec<Allowed<State, Answer>> {
        let unchanged = |answer, clause| Allowed { answer, next: state.clone(), clause };
        let mut allowed = match state {
            State::Free => {
                let next = State::Kept { body: call.body, job: None };
                vec![Allowed { answer: Answer::Queued { job: None, is_replay: false }, next, clause: FIRST }]
            }
            State::Kept { body, job } if *body == call.body => {
                let replay = |is_replay| Answer::Queued { job: *job, is_replay };
                let waited = call.is_contended.then(|| unchanged(replay(false), WAITED));
                [unchanged(replay(true), REPLAY)].into_iter().chain(waited).collect()
            }
            State::Kept { .. } => vec![unchanged(Answer::Mismatch, MISMATCH)],
        };
        allowed.extend(call.is_contended.then(|| unchanged(Answer::InFlight, IN_FLIGHT)));
        allowed
    }

    fn accept(&self, allowed: &Allowed<State, Answer>, answer: &Answer) -> Option<State> {
        match (&allowed.answer, answer, &allowed.next) {
            (
                Answer::Queued { job: known, is_replay },
                Answer::Queued { job, is_replay: shown },
                State::Kept { body, .. },
            ) => {
                let is_own = job.is_some_and(|job| !self.jobs_of_other_keys.contains(&job));
                let fits = is_replay == shown && is_own && (known.is_none() || known == job);
                fits.then_some(State::Kept { body: *body, job: *job })
            }
            (expected, answer, next) => (expected == answer).then(|| next.clone()),
        }
    }
}
