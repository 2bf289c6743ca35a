//! Reasons why a model returned no draft, and the job's error for each. Messages never quote the endpoint: its text may repeat the
//! request or parts of the key.

use std::time::Duration;

use reqwest::StatusCode;

use crate::generation::generator::{FailureCode, GenerationError};

use super::answer::{Answer, NoAnswer};

/// Words in an error body which mean that a filter refused the text.
const FILTERS: [&str; 3] = ["content_filter", "content_policy", "responsibleai"];
/// Words which mean that the account has no credit left, so that waiting does not help.
const QUOTAS: [&str; 2] = ["insufficient_quota", "credit balance"];
/// Words which mean that the request exceeds the model's context.
const LENGTHS: [&str; 3] = ["context_length_exceeded", "maximum context", "prompt is too long"];

/// Reason why a model returned no draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelFailure {
    /// The request exceeded the time limit.
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

    /// Converts an unsuccessful response.
    pub(super) fn of_answer(answer: &Answer) -> Self {
        let body = answer.body.to_lowercase();
        let tells = |words: &[&str]| words.iter().any(|word| body.contains(word));
        let status = answer.status.as_u16();
        match answer.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Self::Unauthorised(status),
            StatusCode::PAYMENT_REQUIRED => Self::NothingLeft(status),
            _ if answer.status.is_client_error() && tells(&FILTERS) => Self::Refused,
            _ if answer.status.is_client_error() && tells(&QUOTAS) => Self::NothingLeft(status),
            _ if answer.status.is_client_error() && tells(&LENGTHS) => Self::TooLong(status),
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => Self::Unknown(status),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Self::Busy(status),
            _ if answer.status.is_redirection() => Self::Redirect(status),
            _ if answer.status.is_server_error() => Self::Busy(status),
            _ => Self::BadRequest(status),
        }
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

    /// Returns true if the endpoint may have refused the form of the request.
    pub(super) const fn is_about_the_form(self) -> bool {
        matches!(self, Self::BadRequest(_))
    }

    /// Returns the advice for the operator.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::TimedOut(_) => "raise --model-timeout, or choose a faster model",
            Self::NoAnswer(NoAnswer::TooLarge) => "check that --model-url is the address of a model's API",
            Self::NoAnswer(_) => "check --model-url, and that the endpoint runs and is reachable from this machine",
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
                write!(formatter, "the language model did not respond within {} seconds", limit.as_secs())
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
            ModelFailure::TimedOut(_) => (FailureCode::GenerationTimeout, false),
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
