//! Checks an endpoint: lists its models and asks for one word. Reports each step with its defects and advice.

use serde_json::{Value, json};

use crate::generation::UsageMeter;

use super::endpoint::{Endpoint, Exchanged};
use super::failure::ModelFailure;
use super::providers::{Message, OutputShape};
use super::request_form::OutputMode;
use super::settings::ModelSettings;
use super::text::{cut, one_line};

/// Maximum number of models to list if the requested one is unknown.
const MAX_NAMED_MODELS: usize = 8;
/// Maximum number of characters shown of a model's name.
const MAX_NAME_CHARS: usize = 60;
/// An article takes at least this many times as long as the test response of one word.
const ARTICLE_IS_LONGER: u32 = 10;

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It works.
    Good,
    /// Articles can be written, but the operator should read the note.
    Note,
    /// No article can be written.
    Bad,
}

/// A step with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLine {
    /// Name of the step, one word.
    pub step: &'static str,
    /// Result of the step.
    pub verdict: Verdict,
    /// Observation and advice.
    pub text: String,
}

impl CheckLine {
    fn new(step: &'static str, verdict: Verdict, text: impl Into<String>) -> Self {
        Self { step, verdict, text: text.into() }
    }

    fn failed(step: &'static str, failure: ModelFailure) -> Self {
        Self::new(step, Verdict::Bad, format!("{failure}; {}", failure.advice()))
    }
}

/// Checks the endpoint.
pub(super) async fn check(endpoint: &Endpoint) -> Vec<CheckLine> {
    let mut lines = Vec::new();
    let settings = &endpoint.settings;
    let models = match endpoint.transport.get("models").await {
        Err(error) => {
            lines.push(CheckLine::failed("endpoint", ModelFailure::of(error, settings.timeout)));
            return lines;
        }
        Ok(answer) => match ModelFailure::of_answer(&answer) {
            Some(failure @ (ModelFailure::Redirect(_) | ModelFailure::NoAnswer(_))) => {
                lines.push(CheckLine::failed("endpoint", failure));
                return lines;
            }
            _ => known_models(&answer.body),
        },
    };
    lines.push(CheckLine::new("endpoint", Verdict::Good, format!("{} responds", settings.base_url)));
    if settings.key.is_some() && settings.base_url.is_readable_on_the_way() {
        let text = "the key is sent unencrypted, because --model-url begins with http://; use https:// outside your own network";
        lines.push(CheckLine::new("key", Verdict::Note, text));
    }
    let meter = UsageMeter::default();
    let messages = [Message::user("Answer with the word ready.")];
    match endpoint.ask("You take part in a test of a connection.", &messages, &shape(), &meter).await {
        Ok(exchanged) => lines.extend(steps_of(settings, &exchanged)),
        Err(failure) => lines.extend(steps_before(settings, failure, &models)),
    }
    lines
}

/// Returns the names of the models that the endpoint lists.
fn known_models(body: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(body).unwrap_or_default();
    let models = list.get("data").and_then(Value::as_array).cloned().unwrap_or_default();
    let names = models.iter().filter_map(|model| model.get("id")?.as_str());
    names.take(MAX_NAMED_MODELS).map(|name| cut(&one_line(name), MAX_NAME_CHARS).to_owned()).collect()
}

fn shape() -> OutputShape {
    let schema = json!({
        "type": "object",
        "properties": { "word": { "type": "string" } },
        "required": ["word"],
        "additionalProperties": false,
    });
    OutputShape { name: "test_answer", description: "Hands in the word.", schema }
}

/// Returns the steps up to and including a failure. The earlier steps succeeded.
fn steps_before(settings: &ModelSettings, failure: ModelFailure, models: &[String]) -> Vec<CheckLine> {
    match failure {
        ModelFailure::Unauthorised(_) | ModelFailure::NothingLeft(_) => vec![CheckLine::failed("key", failure)],
        ModelFailure::Unknown(_) | ModelFailure::BadRequest(_) => {
            let mut line = CheckLine::failed("model", failure);
            if !models.is_empty() && !models.contains(&settings.model) {
                line.text += "; the endpoint lists: ";
                line.text += &models.join(", ");
            }
            vec![key_line(settings), line]
        }
        // Whether the key is valid is not known.
        ModelFailure::TimedOut(_) => vec![CheckLine::failed("time", failure)],
        ModelFailure::Busy(_) | ModelFailure::NoAnswer(_) => vec![CheckLine::failed("model", failure)],
        _ => vec![key_line(settings), CheckLine::failed("model", failure)],
    }
}

fn key_line(settings: &ModelSettings) -> CheckLine {
    let text = if settings.key.is_some() { "accepted" } else { "not required" };
    CheckLine::new("key", Verdict::Good, text)
}

/// Returns the steps for a response.
fn steps_of(settings: &ModelSettings, exchanged: &Exchanged) -> Vec<CheckLine> {
    let Exchanged { reply, form, took } = exchanged;
    let mut lines =
        vec![key_line(settings), CheckLine::new("model", Verdict::Good, format!("{} responds", settings.model))];
    let has_word = |text: &String| {
        text.match_indices('{').any(|(at, _)| {
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
            values.next().is_some_and(|value| value.is_ok_and(|value| value.get("word").is_some()))
        })
    };
    lines.push(match (reply.texts.iter().any(has_word), form.mode) {
        (false, _) => CheckLine::new(
            "output",
            Verdict::Bad,
            "the response does not contain the requested JSON object; choose a model that follows instructions better",
        ),
        (true, OutputMode::Schema) => CheckLine::new("output", Verdict::Good, "the endpoint supports JSON schemas"),
        (true, looser) => {
            let text = format!("the endpoint does not support JSON schemas; requests use {} instead", looser.as_str());
            CheckLine::new("output", Verdict::Note, text)
        }
    });
    lines.push(match reply.tokens {
        Some(tokens) => {
            let text = format!("reported: {} tokens read, {} written", tokens.input, tokens.output);
            CheckLine::new("usage", Verdict::Good, text)
        }
        None => CheckLine::new(
            "usage",
            Verdict::Note,
            "not reported; tokens and cost are estimated from the length of the texts",
        ),
    });
    if settings.prices.is_none() {
        let text = "not set; set --model-price-input and --model-price-output to see what articles cost";
        lines.push(CheckLine::new("prices", Verdict::Note, text));
    }
    if form.max_tokens < settings.max_output_tokens {
        let text =
            format!("the endpoint accepts at most {0}; set --model-max-tokens {0} to save requests", form.max_tokens);
        lines.push(CheckLine::new("tokens", Verdict::Note, text));
    }
    let millis = took.as_millis();
    lines.push(if !form.streams && *took * ARTICLE_IS_LONGER > settings.timeout {
        let text = format!(
            "{millis} ms for a word, and the endpoint does not stream; an article may take longer than {} seconds, so raise \
             --model-timeout",
            settings.timeout.as_secs()
        );
        CheckLine::new("time", Verdict::Note, text)
    } else {
        CheckLine::new("time", Verdict::Good, format!("{millis} ms for a word"))
    });
    lines
}
