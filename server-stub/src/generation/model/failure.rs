//! Reasons why a model returned no draft, and the job's error for each. Messages never quote the endpoint: its text may repeat the
//! request or parts of the key.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::generation::generator::{FailureCode, GenerationError};

use super::request_form::NO_SYSTEM_ROLE;
use super::response::{Answer, NoAnswer};
use super::settings::ModelSettings;

/// Kind of failure: statuses, words, and the failure. It applies if the lower-case body contains one of the words, or if the row has no words.
type Row = (RangeInclusive<u16>, &'static [&'static str], fn(u16) -> ModelFailure);

/// Kinds of failures. The first row that fits a response decides. Add a row for the words of another server.
const ROWS: [Row; 19] = [
    (300..=399, &[], ModelFailure::Redirect),
    (402..=402, &[], ModelFailure::NothingLeft),
    // A filter refused the text.
    (400..=499, &["content_filter", "content_policy", "responsibleai", "was flagged"], |_| ModelFailure::Refused),
    // The account has no credit left, so waiting does not help.
    (400..=499, &["insufficient_quota", "credit balance", "insufficient balance"], ModelFailure::NothingLeft),
    (401..=401, &[], ModelFailure::Unauthorised),
    (403..=403, &[], ModelFailure::Unauthorised),
    // Gemini.
    (400..=400, &["api key not valid", "api_key_invalid"], ModelFailure::Unauthorised),
    (407..=407, &[], |_| ModelFailure::NoAnswer(NoAnswer::NotConnected)),
    (429..=429, &[], ModelFailure::Busy),
    // Templates of prompts end with 500 if they do not know the role.
    (400..=599, &NO_SYSTEM_ROLE, ModelFailure::BadRequest),
    (400..=599, &["context_length", "context length", "context window", "context limit"], ModelFailure::TooLong),
    (400..=599, &["context_size", "context size", "prompt is too long", "input is too long"], ModelFailure::TooLong),
    (413..=413, &[], ModelFailure::TooLong),
    // OpenRouter knows the model, but none of its providers accepts all fields.
    (404..=404, &["requested parameters"], ModelFailure::BadRequest),
    (404..=405, &[], ModelFailure::Unknown),
    (408..=408, &[], ModelFailure::Busy),
    (501..=501, &[], ModelFailure::BadRequest),
    (500..=599, &[], ModelFailure::Busy),
    (0..=u16::MAX, &[], ModelFailure::BadRequest),
];

/// Reason why a model returned no draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelFailure {
    /// Nothing of a response arrived within the time limit, or the response took too long.
    TimedOut(Duration),
    /// There was no response.
    NoAnswer(NoAnswer),
    /// The endpoint was too busy, even after pauses.
    Busy(u16),
    /// The key was refused or is missing.
    Unauthorised(u16),
    /// The account at the provider has no credit left.
    NothingLeft(u16),
    /// The endpoint does not know the model or the path.
    Unknown(u16),
    /// The endpoint redirects.
    Redirect(u16),
    /// The request exceeds the model's context.
    TooLong(u16),
    /// The endpoint refuses the request in every form.
    BadRequest(u16),
    /// The response is not a response of the API.
    NotTheApi,
    /// The model or its filter refused to write about the topic.
    Refused,
    /// The response was cut off.
    CutOff,
    /// The response contains no article.
    NoArticle,
}

impl ModelFailure {
    /// Converts a missing response.
    pub(super) fn of(error: NoAnswer, timeout: Duration) -> Self {
        match error {
            NoAnswer::TimedOut => Self::TimedOut(timeout),
            NoAnswer::NotConnected | NoAnswer::BrokenOff | NoAnswer::TooLarge => Self::NoAnswer(error),
        }
    }

    /// Converts a response; `None` if it succeeded.
    pub(super) fn of_answer(answer: &Answer) -> Option<Self> {
        if answer.status.is_success() {
            return None;
        }
        let (status, body) = (answer.status.as_u16(), answer.body.to_lowercase());
        let fits = |words: &[&str]| words.is_empty() || words.iter().any(|word| body.contains(word));
        let row = ROWS.iter().find(|(statuses, words, _)| statuses.contains(&status) && fits(words));
        row.map(|(_, _, failure)| failure(status))
    }

    /// Returns the HTTP status of the failure, if there is one.
    pub(super) const fn status(self) -> Option<u16> {
        match self {
            Self::Busy(status)
            | Self::Unauthorised(status)
            | Self::NothingLeft(status)
            | Self::Unknown(status)
            | Self::Redirect(status)
            | Self::TooLong(status)
            | Self::BadRequest(status) => Some(status),
            Self::TimedOut(_)
            | Self::NoAnswer(_)
            | Self::NotTheApi
            | Self::Refused
            | Self::CutOff
            | Self::NoArticle => None,
        }
    }

    /// Returns true if the endpoint may accept the request in another form.
    pub(super) const fn is_about_the_form(self) -> bool {
        matches!(self, Self::BadRequest(_) | Self::TooLong(_))
    }

    /// Returns true if the same request may succeed soon.
    pub(super) const fn is_for_the_moment(self) -> bool {
        matches!(self, Self::Busy(_))
    }

    /// Returns the advice for the operator.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::TimedOut(_) => "raise --model-timeout, or choose a faster model",
            Self::NoAnswer(NoAnswer::TooLarge) => "check that --model-url is the address of a model's API",
            Self::NoAnswer(_) => {
                "check --model-url and --model-proxy, and that the endpoint runs and is reachable from this machine"
            }
            Self::Busy(_) => {
                "wait, ask the provider for a higher limit, or lower --concurrency to write fewer articles at a time"
            }
            Self::Unauthorised(_) => "set CONTENTGEN_MODEL_KEY to a valid key of this provider",
            Self::NothingLeft(_) => "top up the account at the provider",
            Self::Unknown(_) => "check --model and --model-url",
            Self::Redirect(_) => "set --model-url to the target of the redirect; redirects are not followed",
            Self::TooLong(_) => "choose a model with a larger context window",
            Self::BadRequest(_) => "check --model and --model-max-tokens; some models write no more than 4096 tokens",
            Self::NotTheApi => "check --model-url and --writer: the responses are not those of this API",
            Self::Refused => "choose another model if you need articles about such topics",
            Self::CutOff => "raise --model-max-tokens, or choose a model with a larger context window",
            Self::NoArticle => "choose a model that follows instructions better",
        }
    }
}

impl std::fmt::Display for ModelFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimedOut(limit) => {
                let (silent, whole) = (limit.as_secs(), ModelSettings::MAX_MINUTES);
                write!(formatter, "the language model sent nothing for {silent} seconds, or took {whole} minutes")
            }
            Self::NoAnswer(error) => write!(formatter, "the request to the language model failed: {error}"),
            Self::Busy(status) => write!(formatter, "the language model is too busy (HTTP {status})"),
            Self::Unauthorised(status) => {
                write!(formatter, "the language model refused the server's key (HTTP {status})")
            }
            Self::NothingLeft(status) => {
                write!(
                    formatter,
                    "the server's account with the provider of the language model has no credit left (HTTP {status})"
                )
            }
            Self::Unknown(status) => {
                write!(formatter, "the endpoint does not know the language model (HTTP {status})")
            }
            Self::Redirect(status) => {
                write!(formatter, "the endpoint of the language model redirects to another address (HTTP {status})")
            }
            Self::TooLong(status) => {
                write!(
                    formatter,
                    "the request and the voice profile are too long for the language model (HTTP {status})"
                )
            }
            Self::BadRequest(status) => {
                write!(formatter, "the endpoint of the language model rejects the request (HTTP {status})")
            }
            Self::NotTheApi => formatter.write_str("the endpoint does not respond like a language model"),
            Self::Refused => formatter.write_str("the language model refuses to write about this topic"),
            Self::CutOff => formatter.write_str("the language model's responses end before the article is complete"),
            Self::NoArticle => formatter.write_str("the language model's responses contain no article"),
        }
    }
}

impl From<ModelFailure> for GenerationError {
    fn from(failure: ModelFailure) -> Self {
        let (code, needs_repair) = match failure {
            // The provider may charge for the request, and another one would take as long.
            ModelFailure::TimedOut(_) => (FailureCode::GenerationTimeout, true),
            ModelFailure::NoAnswer(_) | ModelFailure::Busy(_) | ModelFailure::NotTheApi | ModelFailure::NoArticle => {
                (FailureCode::GeneratorUnavailable, false)
            }
            ModelFailure::Unauthorised(_)
            | ModelFailure::NothingLeft(_)
            | ModelFailure::Unknown(_)
            | ModelFailure::Redirect(_)
            | ModelFailure::TooLong(_)
            | ModelFailure::BadRequest(_)
            | ModelFailure::CutOff => (FailureCode::GeneratorUnavailable, true),
            ModelFailure::Refused => (FailureCode::ContentRejected, false),
        };
        let mut words = failure.to_string();
        words[..1].make_ascii_uppercase();
        if needs_repair {
            Self::new(code, format!("{words}. The operator of the server must fix this; then queue the article again."))
                .until_repaired()
        } else {
            Self::new(code, format!("{words}."))
        }
    }
}
