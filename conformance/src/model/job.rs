//! The rules of one job, with its scheduled post and its article.

use std::fmt;

use super::machine::{Allowed, Machine};

const MONOTONE: &str =
    "From one read to the next, `progress` and the rank of `status` (queued 0, in_progress 1, ended 2) never decrease.";
const STABLE: &str = "Once `done` is true, the body and its `ETag` no longer change.";
const CANCELS: &str = "Cancels a job that has not ended, and its scheduled post.";
const SAME_AGAIN: &str = "For a job that is already cancelled the response is the same again.";
const NOT_CANCELLABLE: &str = "If the job completed or failed, it is 409 `job_not_cancellable`.";
const ARTICLE: &str = "Returns the article once its job has completed.";
const NOT_READY: &str = "Until the job has ended, the response is 404 `article_not_ready` with `Retry-After`.";
const NO_ARTICLE: &str = "If the job failed or was cancelled, it is 404 `generation_failed` or `generation_cancelled`.";
const FINAL: &str = "`published` and `cancelled` are final.";
const POST: &str = "`queued` and `generating` follow the job, `ready` waits for approval, `scheduled` waits for its time, `publishing` is being published.";

/// State of a job, as the API names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// `queued`
    Queued,
    /// `in_progress`
    InProgress,
    /// `completed`
    Completed,
    /// `failed`
    Failed,
    /// `cancelled`
    Cancelled,
}

impl Status {
    const NAMES: [(Self, &'static str); 5] = [
        (Self::Queued, "queued"),
        (Self::InProgress, "in_progress"),
        (Self::Completed, "completed"),
        (Self::Failed, "failed"),
        (Self::Cancelled, "cancelled"),
    ];

    /// Parses the name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(status, _)| *status == self).map_or("", |(_, name)| name)
    }

    /// Returns true if the job does not change any more.
    pub fn has_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::InProgress)
    }
}

/// State of a scheduled post, as the API names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PostStatus {
    /// `queued`
    Queued,
    /// `generating`
    Generating,
    /// `ready`
    Ready,
    /// `scheduled`
    Scheduled,
    /// `publishing`
    Publishing,
    /// `published`
    Published,
    /// `failed`
    Failed,
    /// `cancelled`
    Cancelled,
}

impl PostStatus {
    const NAMES: [(Self, &'static str); 8] = [
        (Self::Queued, "queued"),
        (Self::Generating, "generating"),
        (Self::Ready, "ready"),
        (Self::Scheduled, "scheduled"),
        (Self::Publishing, "publishing"),
        (Self::Published, "published"),
        (Self::Failed, "failed"),
        (Self::Cancelled, "cancelled"),
    ];

    /// Parses the name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(status, _)| *status == self).map_or("", |(_, name)| name)
    }
}

/// State of a job and its scheduled post.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// State of the job.
    pub status: Status,
    /// Highest `progress` that a response has shown.
    pub progress: u8,
    /// Fingerprint of the body that a response has shown after the end of the job.
    pub final_body: Option<u64>,
    /// State of the scheduled post. It follows the job with a delay.
    pub post: PostStatus,
    /// True once a response has shown a final state of the scheduled post. Until then a response may show an earlier state.
    pub was_final_post_shown: bool,
}

impl State {
    /// State when the response to `generate` arrives.
    pub const QUEUED: Self = Self {
        status: Status::Queued,
        progress: 0,
        final_body: None,
        post: PostStatus::Queued,
        was_final_post_shown: false,
    };

    fn with(&self, status: Status) -> Self {
        Self { status, ..self.clone() }
    }

    fn with_post(&self, post: PostStatus) -> Self {
        Self { post, ..self.clone() }
    }
}

/// A call about a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// `GET /jobs/{job_id}`
    Read,
    /// `POST /jobs/{job_id}/cancel`
    Cancel,
    /// `GET /articles/{id}` with the id of the job, or of its article.
    ReadArticle,
    /// Reading the scheduled post of the job, alone or in the list.
    ReadPost,
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "read the job",
            Self::Cancel => "cancel the job",
            Self::ReadArticle => "read the article",
            Self::ReadPost => "read the scheduled post",
        })
    }
}

/// A response about a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// 200 with the job.
    Job {
        /// State of the job.
        status: Status,
        /// The field `progress`, if the response has it.
        progress: Option<u8>,
        /// Fingerprint of the body.
        body: u64,
    },
    /// 409 `job_not_cancellable`
    NotCancellable,
    /// 200 with the article.
    Article,
    /// 404 `article_not_ready`
    NotReady,
    /// 404 `generation_failed`
    GenerationFailed,
    /// 404 `generation_cancelled`
    GenerationCancelled,
    /// 200 with the scheduled post in this state.
    Post(PostStatus),
    /// Any other response. The rules never allow it.
    Other(String),
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job { status, progress: Some(progress), .. } if *status == Status::InProgress => {
                write!(formatter, "200, in_progress at {progress} %")
            }
            Self::Job { status, .. } => write!(formatter, "200, {}", status.name()),
            Self::NotCancellable => formatter.write_str("409 job_not_cancellable"),
            Self::Article => formatter.write_str("200 with an article"),
            Self::NotReady => formatter.write_str("404 article_not_ready"),
            Self::GenerationFailed => formatter.write_str("404 generation_failed"),
            Self::GenerationCancelled => formatter.write_str("404 generation_cancelled"),
            Self::Post(status) => write!(formatter, "200, {}", status.name()),
            Self::Other(response) => formatter.write_str(response),
        }
    }
}

/// The rules of a job.
#[derive(Debug, Clone, Copy)]
pub struct Job {
    /// True if the article may be published without approval.
    pub is_published: bool,
}

impl Job {
    /// Returns every state of a job, for one whose history is unknown.
    pub fn all_states(self) -> impl Iterator<Item = State> {
        let statuses = Status::NAMES.into_iter().map(|(status, _)| status);
        statuses.flat_map(|status| {
            let posts = PostStatus::NAMES.into_iter().map(|(post, _)| post);
            posts.map(move |post| State { status, post, ..State::QUEUED })
        })
    }

    /// Returns the states that the scheduled post may take next.
    fn next_posts(self, state: &State) -> &'static [PostStatus] {
        use PostStatus::{Cancelled, Failed, Generating, Published, Publishing, Queued, Ready, Scheduled};
        match (state.post, state.status) {
            (Queued, Status::InProgress | Status::Completed) => &[Generating],
            (Generating, Status::Completed) if self.is_published => &[Ready, Scheduled, Publishing, Published],
            (Generating, Status::Completed) => &[Ready],
            (Queued, Status::Failed) => &[Generating, Failed],
            (Queued, Status::Cancelled) => &[Generating, Cancelled],
            (Generating, Status::Failed) => &[Failed],
            (Generating, Status::Cancelled) => &[Cancelled],
            (Ready, Status::Completed) if self.is_published => &[Scheduled, Publishing],
            (Scheduled, Status::Completed) => &[Publishing, Published, Failed],
            (Publishing, Status::Completed) => &[Scheduled, Published, Failed],
            _ => &[],
        }
    }
}

/// Returns the states of the scheduled post that a response may show.
fn posts(state: &State) -> Vec<Allowed<State, Answer>> {
    // Without an article a post was never beyond `generating`.
    let last = if state.status == Status::Completed { PostStatus::Publishing } else { PostStatus::Generating };
    let earlier = PostStatus::NAMES.into_iter().map(|(post, _)| post);
    let earlier = earlier.filter(|post| *post < state.post && *post <= last && !state.was_final_post_shown);
    let shown = earlier.map(|post| Allowed { answer: Answer::Post(post), next: state.clone(), clause: POST });
    let is_final = matches!(state.post, PostStatus::Published | PostStatus::Cancelled);
    let next = State { was_final_post_shown: is_final, ..state.clone() };
    let clause = if is_final { FINAL } else { POST };
    shown.chain([Allowed { answer: Answer::Post(state.post), next, clause }]).collect()
}

impl Machine for Job {
    type State = State;
    type Call = Call;
    type Answer = Answer;

    fn steps(&self, state: &State) -> Vec<State> {
        let statuses: &[Status] = match state.status {
            Status::Queued => &[Status::InProgress, Status::Failed],
            Status::InProgress => &[Status::Completed, Status::Failed],
            _ => &[],
        };
        let of_job = statuses.iter().map(|status| state.with(*status));
        of_job.chain(self.next_posts(state).iter().map(|post| state.with_post(*post))).collect()
    }

    fn allowed(&self, state: &State, call: &Call) -> Vec<Allowed<State, Answer>> {
        let job = |status| Answer::Job { status, progress: None, body: 0 };
        let (answer, status, clause) = match (call, state.status) {
            (Call::Read, status) => (job(status), status, if status.has_ended() { STABLE } else { MONOTONE }),
            (Call::Cancel, Status::Cancelled) => (job(Status::Cancelled), Status::Cancelled, SAME_AGAIN),
            (Call::Cancel, Status::Queued | Status::InProgress) => (job(Status::Cancelled), Status::Cancelled, CANCELS),
            (Call::Cancel, status) => (Answer::NotCancellable, status, NOT_CANCELLABLE),
            (Call::ReadArticle, Status::Completed) => (Answer::Article, Status::Completed, ARTICLE),
            (Call::ReadArticle, Status::Failed) => (Answer::GenerationFailed, Status::Failed, NO_ARTICLE),
            (Call::ReadArticle, Status::Cancelled) => (Answer::GenerationCancelled, Status::Cancelled, NO_ARTICLE),
            (Call::ReadArticle, status) => (Answer::NotReady, status, NOT_READY),
            (Call::ReadPost, _) => return posts(state),
        };
        vec![Allowed { answer, next: state.with(status), clause }]
    }

    fn accept(&self, allowed: &Allowed<State, Answer>, answer: &Answer) -> Option<State> {
        let next = &allowed.next;
        let Answer::Job { status, progress, body } = answer else {
            return (allowed.answer == *answer).then(|| next.clone());
        };
        let is_same = matches!(allowed.answer, Answer::Job { status: allowed, .. } if allowed == *status);
        let progress = progress.unwrap_or(next.progress);
        let final_body = status.has_ended().then_some(*body);
        let fits =
            is_same && progress >= next.progress && next.final_body.is_none_or(|known| Some(known) == final_body);
        fits.then(|| State { progress, final_body, ..next.clone() })
    }
}
