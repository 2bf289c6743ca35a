//! The form of requests that an endpoint accepts: how JSON is requested, from strict to loose, how tokens are limited, and how the
//! response is sent.

use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

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
    pub(super) max_tokens: u32,
    /// True if the response is streamed.
    pub(super) streams: bool,
    /// True if the number of tokens is requested at the end of a stream.
    pub(super) asks_usage: bool,
    /// True if the system prompt is a separate message. Otherwise the first message of the user begins with it.
    pub(super) has_system_role: bool,
    /// True if `limit` was changed already. It is not changed back.
    has_other_limit: bool,
    /// Number of times that `max_tokens` was lowered.
    lowered: u8,
}

/// Change of a form after a refusal: words and the change. It applies if the lower-case body contains one of the words, or if there
/// is no word. The change gets the body and returns `None` if it was made before or does not help.
type Change = (&'static [&'static str], fn(RequestForm, &str) -> Option<RequestForm>);

/// Words which mean that the model's template knows no system prompt.
pub(super) const NO_SYSTEM_ROLE: [&str; 6] = [
    "system role",
    "system message",
    "developer instruction",
    "does not support 'system'",
    "roles must alternate",
    "only user and assistant roles",
];

/// Changes of a form. The first one that fits a refusal is made. Add a row for the words of another server.
const CHANGES: [Change; 6] = [
    (&["stream_options", "include_usage"], |form, _| {
        form.asks_usage.then_some(RequestForm { asks_usage: false, ..form })
    }),
    (&["'stream'", "\"stream\"", "`stream`", "streaming"], |form, _| {
        form.streams.then_some(RequestForm { streams: false, asks_usage: false, ..form })
    }),
    (&NO_SYSTEM_ROLE, |form, _| form.has_system_role.then_some(RequestForm { has_system_role: false, ..form })),
    (&["unsupported", "not supported", "unrecognized", "unknown", "instead"], RequestForm::with_other_limit),
    (&[], RequestForm::with_fewer_tokens),
    (&[], |form, _| form.mode.looser().map(|mode| RequestForm { mode, ..form })),
];

/// Words of a refusal, in lower case, that give the `window` of the model, or its limit for a response, and the length of the `prompt`.
/// Add a row for the words of another server.
static WINDOWS: LazyLock<[Regex; 7]> = LazyLock::new(|| {
    [
        // vLLM, then its newer versions, SGLang, and Text Generation Inference.
        r"context length is (?<window>\d+) tokens.{0,80}\((?<prompt>\d+) in the messages",
        r"context length is (?<window>\d+) tokens and your request has (?<prompt>\d+) input",
        r"context length of (?<window>\d+) tokens.{0,80}: (?<prompt>\d+) tokens from the input",
        r"must be <= (?<window>\d+)\. given: (?<prompt>\d+)",
        // Anthropic.
        r"(?<prompt>\d+) \+ \d+ > (?<window>\d+)",
        // OpenAI, Anthropic and others, if the prompt does not count.
        r"(?:at most|\d+ >|less than or equal to) `?(?<window>\d+)",
        r"range of max_tokens is \[\d+, ?(?<window>\d+)\]",
    ]
    .map(|pattern| Regex::new(pattern).expect("the pattern is valid"))
});
/// Least number of tokens of a response that is worth a request.
const MIN_TOKENS: u32 = 256;
/// Maximum number of times that the number of tokens is lowered for one request.
const MAX_LOWERED: u8 = 4;

impl RequestForm {
    /// Returns the first form to try.
    pub(super) const fn new(limit: TokenLimit, max_tokens: u32) -> Self {
        Self {
            mode: OutputMode::Schema,
            limit,
            max_tokens,
            streams: true,
            asks_usage: true,
            has_system_role: true,
            has_other_limit: false,
            lowered: 0,
        }
    }

    /// Returns the form to try after the endpoint refused this one with the given body; `None` if all forms were tried. If the request
    /// is too long, only fewer tokens for the response help.
    pub(super) fn after_refusal(self, body: &str, is_too_long: bool) -> Option<Self> {
        let body = body.to_lowercase();
        if is_too_long {
            return self.with_fewer_tokens(&body);
        }
        let fits = |words: &[&str]| words.is_empty() || words.iter().any(|word| body.contains(word));
        CHANGES.iter().filter(|(words, _)| fits(words)).find_map(|(_, change)| change(self, &body))
    }

    fn with_other_limit(self, body: &str) -> Option<Self> {
        let is_about_limit = body.contains(self.limit.as_str()) && !self.has_other_limit;
        is_about_limit.then_some(Self { limit: self.limit.other(), has_other_limit: true, ..self })
    }

    /// Lowers the number of tokens if the refusal is about it: to the rest of the window after the prompt, or to the half.
    fn with_fewer_tokens(self, body: &str) -> Option<Self> {
        let is_about_limit =
            ["max_tokens", "max_completion_tokens", "max_new_tokens"].iter().any(|name| body.contains(name))
                || body.contains(&self.max_tokens.to_string());
        let left = WINDOWS.iter().find_map(|pattern| {
            let found = pattern.captures(body)?;
            let number = |name| found.name(name).map_or(Some(0), |digits| digits.as_str().parse::<u32>().ok());
            Some(number("window")?.saturating_sub(number("prompt")?))
        });
        let max_tokens = left.filter(|left| *left < self.max_tokens).unwrap_or(self.max_tokens / 2);
        let helps = is_about_limit && max_tokens >= MIN_TOKENS && self.lowered < MAX_LOWERED;
        helps.then_some(Self { max_tokens, lowered: self.lowered + 1, ..self })
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

    /// Remembers a form, except for its number of tokens: a shorter prompt leaves more of them for the response.
    pub(super) fn remember(&self, form: RequestForm) {
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *memory = RequestForm { max_tokens: memory.max_tokens, lowered: 0, ..form };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: RequestForm = RequestForm::new(TokenLimit::MaxTokens, 16_384);

    #[test]
    fn a_refused_form_is_loosened_step_by_step_and_the_limit_changes_once() {
        let second = FIRST.after_refusal("Unsupported parameter: 'max_tokens'", false).unwrap();
        assert_eq!((second.mode, second.limit), (OutputMode::Schema, TokenLimit::MaxCompletionTokens));
        let third = second.after_refusal("response_format is unknown", false).unwrap();
        assert_eq!((third.mode, third.limit), (OutputMode::Json, TokenLimit::MaxCompletionTokens));
        let fourth = third.after_refusal("response_format", false).unwrap();
        assert_eq!((fourth.mode, fourth.after_refusal("no", false)), (OutputMode::Prompt, None));
    }

    #[test]
    fn each_change_is_made_for_its_words_and_only_once() {
        let plain = FIRST.after_refusal("extra_forbidden: stream_options", false).unwrap();
        let whole = plain.after_refusal("'stream' does not support true", false).unwrap();
        let merged = whole.after_refusal("System role not supported", false).unwrap();
        assert_eq!((plain.streams, plain.asks_usage, whole.streams), (true, false, false));
        assert_eq!((whole.has_system_role, merged.has_system_role), (true, false));
        assert_eq!(merged.after_refusal("System role not supported", false).unwrap().mode, OutputMode::Json);
        assert!(FIRST.after_refusal("an upstream error", false).unwrap().streams);
    }

    #[test]
    fn the_tokens_of_a_response_are_what_the_prompt_leaves_of_the_window() {
        for (body, tokens) in [
            (
                "maximum context length is 8192 tokens. However, you requested 18384 tokens (2000 in the messages, 16384 in the completion)",
                6192,
            ),
            (
                "maximum context length is 16384 tokens. However, you requested 18384 tokens (2000 in the messages, 16384 in the completion)",
                14_384,
            ),
            (
                "'max_tokens' is too large: 16384. maximum context length is 8192 tokens and your request has 2000 input tokens (16384 > 8192 - 2000)",
                6192,
            ),
            (
                "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000, decrease input length",
                10_000,
            ),
            ("max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens", 8192),
            ("max_tokens is too large: 16384. This model supports at most 4096 completion tokens", 4096),
            ("the valid range of max_tokens is [1, 8192]", 8192),
            ("max_tokens is too large", 8192),
        ] {
            assert_eq!(FIRST.after_refusal(body, true).unwrap().max_tokens, tokens, "{body}");
        }
        assert_eq!(
            FIRST.after_refusal("9000 tokens exceed the context size of 4096", true),
            None,
            "no response is that short"
        );
        let too_long =
            "maximum context length is 8192 tokens and your request has 9000 input tokens (max_tokens 16384)";
        assert_eq!(FIRST.after_refusal(too_long, true), None, "the prompt alone is longer than the window");
        let mut forms = std::iter::successors(Some(FIRST), |form| form.after_refusal("max_tokens is too large", true));
        assert_eq!(forms.by_ref().count(), 1 + usize::from(MAX_LOWERED));
        let memory = FormMemory::new(FIRST);
        memory.remember(FIRST.after_refusal("max_tokens is too large", true).unwrap());
        assert_eq!(memory.recall(), FIRST);
    }
}
