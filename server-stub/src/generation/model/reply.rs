//! Reply of a model, independent of the provider's API.

use serde_json::Value;

use super::event_stream;
use super::provider::Provider;

/// Way in which a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The reply is complete.
    Whole,
    /// The token limit was reached.
    CutOff,
    /// The model or a filter refused.
    Refused,
}

/// Numbers of tokens that the endpoint counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
}

/// Reply of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) ending: Ending,
    /// `None` if the endpoint does not report it.
    pub(super) tokens: Option<Tokens>,
}

impl Reply {
    /// Reads the body of a response and ignores its `Content-Type`: one object, or the events of an unrequested stream. `None` for
    /// anything else.
    pub(super) fn read(provider: Provider, body: &str) -> Option<Self> {
        let body = body.trim_start_matches('\u{feff}').trim();
        if body.starts_with('{') {
            return provider.reply(&serde_json::from_str(body).ok()?);
        }
        let events = event_stream::events(body)?;
        let joined = provider.joined_events(&events);
        // Some endpoints send one event with the whole response.
        joined.as_ref().and_then(|joined| provider.reply(joined)).or_else(|| provider.reply(events.first()?))
    }
}

/// Returns the text of a content that is a string, or a list of parts of which some are text.
pub(super) fn joined_parts(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let is_text =
                |part: &&Value| matches!(part.get("type").and_then(Value::as_str), None | Some("text" | "output_text"));
            parts.iter().filter(is_text).filter_map(|part| part.get("text")?.as_str()).collect()
        }
        _ => String::new(),
    }
}
