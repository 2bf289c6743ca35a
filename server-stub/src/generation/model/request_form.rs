//! The form of requests that an endpoint accepts: how JSON is requested, from strict to loose, and how tokens are limited.

use std::sync::{Mutex, PoisonError};

/// Way of requesting JSON from an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputMode {
    /// The endpoint enforces the schema: `json_schema`, or a tool that the model must call.
    Schema,
    /// The endpoint enforces JSON, and the prompt contains the schema: `json_object`.
    Json,
    /// The prompt requests JSON and contains the schema.
    Prompt,
}

impl OutputMode {
    /// Returns the next looser mode.
    pub(super) const fn looser(self) -> Option<Self> {
        match self {
            Self::Schema => Some(Self::Json),
            Self::Json => Some(Self::Prompt),
            Self::Prompt => None,
        }
    }

    /// Returns the name of the mode for people.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Json => "JSON without a schema",
            Self::Prompt => "the prompt alone",
        }
    }
}

/// Field of a request that limits the tokens of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenLimit {
    /// `max_tokens`, which nearly all endpoints accept.
    MaxTokens,
    /// `max_completion_tokens`, which reasoning models require.
    MaxCompletionTokens,
}

impl TokenLimit {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }
}

/// Form of requests that an endpoint accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RequestForm {
    pub(super) mode: OutputMode,
    pub(super) limit: TokenLimit,
    /// True if `limit` was changed already. It is not changed back.
    has_other_limit: bool,
}

impl RequestForm {
    /// Returns the first form to try.
    pub(super) const fn new(limit: TokenLimit) -> Self {
        Self { mode: OutputMode::Schema, limit, has_other_limit: false }
    }

    /// Returns the form to try after the endpoint refused this one with the given body; `None` if all forms were tried.
    pub(super) fn after_refusal(self, body: &str) -> Option<Self> {
        let is_about_limit =
            [TokenLimit::MaxTokens, TokenLimit::MaxCompletionTokens].iter().any(|limit| body.contains(limit.as_str()));
        if is_about_limit && !self.has_other_limit {
            return Some(Self { limit: self.limit.other(), has_other_limit: true, ..self });
        }
        self.mode.looser().map(|mode| Self { mode, ..self })
    }
}

/// Remembers the last form that an endpoint accepted.
#[derive(Debug)]
pub(super) struct FormMemory(Mutex<RequestForm>);

impl FormMemory {
    pub(super) const fn new(form: RequestForm) -> Self {
        Self(Mutex::new(form))
    }

    pub(super) fn recall(&self) -> RequestForm {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remember(&self, form: RequestForm) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = form;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_form_is_loosened_step_by_step_and_the_limit_changes_once() {
        let first = RequestForm::new(TokenLimit::MaxTokens);
        let second = first.after_refusal("Unsupported parameter: 'max_tokens'").unwrap();
        assert_eq!((second.mode, second.limit), (OutputMode::Schema, TokenLimit::MaxCompletionTokens));
        let third = second.after_refusal("max_completion_tokens is too large, and response_format is unknown").unwrap();
        assert_eq!((third.mode, third.limit), (OutputMode::Json, TokenLimit::MaxCompletionTokens));
        let fourth = third.after_refusal("response_format").unwrap();
        assert_eq!((fourth.mode, fourth.after_refusal("no")), (OutputMode::Prompt, None));
    }
}
