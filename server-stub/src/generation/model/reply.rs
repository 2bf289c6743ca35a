//! Reply of a model, independent of the provider's API.

use serde_json::Value;

use super::event_stream;
use super::providers::Provider;

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

/// Reasons of endpoints for the end of a reply, in lower case. All others mean that it is whole.
const ENDINGS: [(&str, Ending); 7] = [
    ("length", Ending::CutOff),
    ("max_tokens", Ending::CutOff),
    ("model_length", Ending::CutOff),
    ("model_context_window_exceeded", Ending::CutOff),
    ("content_filter", Ending::Refused),
    ("refusal", Ending::Refused),
    ("safety", Ending::Refused),
];

impl Ending {
    pub(super) fn of(reason: &Value) -> Self {
        let reason = reason.as_str().unwrap_or_default();
        let known = ENDINGS.iter().find(|(name, _)| name.eq_ignore_ascii_case(reason));
        known.map_or(Self::Whole, |(_, ending)| *ending)
    }
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
    /// Texts that may contain the draft, best first, without blank ones.
    pub(super) texts: Vec<String>,
    pub(super) ending: Ending,
    /// `None` if the endpoint does not report it.
    pub(super) tokens: Option<Tokens>,
}

impl Reply {
    /// Reads the body of a response: one object, or the events of a stream. `None` for anything else.
    pub(super) fn read(provider: Provider, body: &str) -> Option<Self> {
        let objects = event_stream::objects(body)?;
        // Some endpoints send one event with the whole response.
        let whole = if objects.len() == 1 { provider.reply(&objects[0]) } else { None };
        whole
            .or_else(|| provider.reply(&provider.joined_events(&objects)?))
            .or_else(|| provider.reply(objects.first()?))
    }
}

/// Place of a text in a response.
#[derive(Debug)]
pub(super) struct Place {
    /// JSON pointer to a text, to an object, or to a list of parts.
    pointer: &'static str,
    /// Field of each part that has the text.
    field: &'static str,
    /// True for thoughts. They contain the draft only if no other place has a text.
    is_thought: bool,
}

impl Place {
    pub(super) const fn answer(pointer: &'static str, field: &'static str) -> Self {
        Self { pointer, field, is_thought: false }
    }

    pub(super) const fn thought(pointer: &'static str, field: &'static str) -> Self {
        Self { pointer, field, is_thought: true }
    }
}

/// Returns the texts at these places of a response that are not blank. Thoughts count only if there is nothing else, and if they are
/// complete: otherwise the model had no time to answer.
pub(super) fn texts(body: &Value, places: &[Place], ending: Ending) -> Vec<String> {
    let found = |is_thought| {
        let places = places.iter().filter(move |place| place.is_thought == is_thought);
        let texts = places.filter_map(|place| Some(text_of(body.pointer(place.pointer)?, place.field)));
        texts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>()
    };
    let answers = found(false);
    if answers.is_empty() && ending == Ending::Whole { found(true) } else { answers }
}

/// Returns a text, the JSON of an object, or the joined fields of parts.
fn text_of(value: &Value, field: &str) -> String {
    match value {
        Value::String(text) if field == "text" => text.clone(),
        Value::Object(_) => value.to_string(),
        Value::Array(parts) => {
            let is_of_kind = |part: &&Value| {
                field != "text"
                    || matches!(part.get("type").and_then(Value::as_str), None | Some("text" | "output_text"))
            };
            parts.iter().filter(is_of_kind).filter_map(|part| Some(text_of(part.get(field)?, "text"))).collect()
        }
        _ => String::new(),
    }
}
