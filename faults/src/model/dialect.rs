//! The dialects: for each a row with its name and meaning, and the function that responds in it.

use std::time::Duration;

use http::HeaderMap;
use serde_json::{Value, json};

use super::article::{DISCARDED_TITLE, draft};
use super::completion::{Answer, error, events, whole};
use super::prompt::Prompt;
use super::random::Random;

/// Window of a small model, in tokens.
const SMALL_WINDOW: u64 = 7000;
/// Number of events of a slow stream.
const SLOW_EVENTS: usize = 20;

/// A dialect of a language model's endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// Name on the command line.
    pub name: &'static str,
    /// Behaviour of the endpoint, and real servers with it.
    pub description: &'static str,
    /// True if a program that knows the dialect gets an article. Otherwise it must report the failure, after one request.
    pub gives_article: bool,
    /// Responds to a request.
    pub(super) respond: fn(&mut Turn<'_>) -> Answer,
}

impl Dialect {
    /// Returns the dialect with this name.
    pub fn find(name: &str) -> Option<Self> {
        DIALECTS.into_iter().find(|dialect| dialect.name == name)
    }

    const fn new(name: &'static str, description: &'static str, respond: fn(&mut Turn<'_>) -> Answer) -> Self {
        Self { name, description, gives_article: true, respond }
    }

    const fn failing(self) -> Self {
        Self { gives_article: false, ..self }
    }
}

/// All dialects.
pub const DIALECTS: [Dialect; 25] = [
    Dialect::new("control", "Responds as OpenAI does.", |turn| turn.say(&turn.draft())),
    Dialect::new("reasoning-content", "The draft is in `reasoning_content`, and `content` is null (vLLM, DeepSeek).", |turn| {
        turn.send(&json!({ "content": null, "reasoning_content": turn.draft() }), "stop")
    }),
    Dialect::new("reasoning", "The draft is in `reasoning`, and `content` is null (vLLM, OpenRouter).", |turn| {
        turn.send(&json!({ "content": null, "reasoning": turn.draft() }), "stop")
    }),
    Dialect::new("reasoned-first", "A discarded draft is in `reasoning_content`, and the draft in `content`.", |turn| {
        turn.send(&json!({ "reasoning_content": turn.discarded(), "content": turn.draft() }), "stop")
    }),
    Dialect::new("thinking-parts", "`content` is a list of thoughts and texts (Mistral).", |turn| {
        let thoughts = json!([{ "type": "text", "text": turn.discarded() }]);
        let parts = json!([{ "type": "thinking", "thinking": thoughts }, { "type": "text", "text": turn.draft() }]);
        turn.send(&json!({ "content": parts }), "stop")
    }),
    Dialect::new("tool-call", "The draft is the input of a tool, as text or as an object (gateways, Ollama).", tool_call),
    Dialect::new("think-mark", "The draft's text contains a literal `</think>`.", |turn| {
        let mut draft = turn.draft_value();
        let text = format!("{} Some models write `</think>` after their notes.", draft["sections"][0]["markdown"].as_str().unwrap_or_default());
        draft["sections"][0]["markdown"] = text.into();
        turn.say(&draft.to_string())
    }),
    Dialect::new("think-tag", "The draft follows thoughts with a discarded draft, between `<think>` and `</think>`.", |turn| {
        // Some templates put the first mark into the prompt.
        let begin = turn.pick(&["<think>", ""]);
        turn.say(&format!("{begin}Perhaps {}?\n</think>\n\n{}", turn.discarded(), turn.draft()))
    }),
    Dialect::new("think-block", "As `think-tag`, with `[THINK]` and `[/THINK]` (Mistral).", |turn| {
        turn.say(&format!("[THINK]Perhaps {}?[/THINK]{}", turn.discarded(), turn.draft()))
    }),
    Dialect::new("harmony", "As `think-tag`, in the channels of gpt-oss.", |turn| {
        turn.say(&format!(
            "<|channel|>analysis<|message|>Perhaps {}?<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
            turn.discarded(),
            turn.draft()
        ))
    }),
    Dialect::new("raw-line-breaks", "Strings of the JSON contain raw line breaks (small models).", |turn| {
        turn.say(&turn.draft().replace("\\n", "\n"))
    }),
    Dialect::new("loose-json", "The JSON has escapes of Markdown and commas before closing brackets (small models).", |turn| {
        turn.say(&format!("Sure! Here it is:\n{}", turn.draft().replace("notes", "no\\_tes").replace("}]", "},\n]")))
    }),
    Dialect::new("error-in-200", "The first response is an error with status 200 (OpenRouter).", error_in_200),
    Dialect::new("error-in-stream", "The first stream ends with an error (OpenRouter, Anthropic).", error_in_stream),
    Dialect::new("no-system-role", "The model knows no system prompt (Gemma).", no_system_role),
    Dialect::new("small-context", "The context window is smaller than the requested number of tokens (vLLM and others).", small_context),
    Dialect::new("exceed-context", "The prompt is longer than the context window (llama.cpp).", |turn| {
        let message = turn.pick(&["the request exceeds the available context size (4096 tokens), try increasing it", "request too large"]);
        let body = json!({ "code": 400, "message": message, "type": "exceed_context_size_error", "n_prompt_tokens": 5302, "n_ctx": 4096 });
        Answer::Whole(400, json!({ "error": body }))
    })
    .failing(),
    Dialect::new("japanese", "The article is in Japanese, and its questions end with full-width marks.", |turn| {
        turn.prompt.is_japanese = true;
        turn.say(&turn.draft())
    }),
    Dialect::new("azure", "The address ends in `?api-version=…`, and the key is in the header `api-key` (Azure OpenAI).", azure),
    Dialect::new("proxy", "The endpoint is reachable only through an HTTP proxy.", |turn| {
        if turn.is_through_proxy { turn.say(&turn.draft()) } else { error(403, "requests must come through the proxy") }
    }),
    Dialect::new("slow-stream", "The response is streamed, with a pause before each event (`--pause`).", |turn| {
        let pause = turn.pause;
        let text = turn.draft();
        let size = text.chars().count() / SLOW_EVENTS + 1;
        let pieces: Vec<char> = text.chars().collect();
        let deltas = pieces.chunks(size).map(|piece| json!({ "content": piece.iter().collect::<String>() }));
        let event = |delta: Value| json!({ "choices": [{ "delta": delta, "finish_reason": null }] });
        let last = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
        Answer::Stream(deltas.map(event).chain([last]).collect(), pause)
    }),
    Dialect::new("no-streaming", "Streams are refused.", |turn| match turn.body["stream"].as_bool() {
        Some(true) => error(400, "Unsupported value: 'stream' does not support true with this model."),
        _ => turn.say(&turn.draft()),
    }),
    Dialect::new("no-stream-options", "Unknown fields are refused, such as `stream_options` (Mistral).", |turn| {
        if turn.body.get("stream_options").is_none() {
            return turn.say(&turn.draft());
        }
        let detail = json!({ "type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted" });
        Answer::Whole(422, json!({ "detail": [detail] }))
    }),
    Dialect::new("no-schema", "`response_format` is refused with a schema, or always (older servers, OpenRouter).", no_schema),
    Dialect::new("silent", "No response arrives, although the connection stays open.", |_| Answer::Never).failing(),
];

/// A request, with everything that its response follows from.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    /// Number of the request for text, from 0.
    pub(super) number: usize,
    pub(super) body: &'a Value,
    pub(super) headers: &'a HeaderMap,
    /// True if the address has the version of Azure's API.
    pub(super) has_api_version: bool,
    pub(super) is_through_proxy: bool,
    pub(super) prompt: Prompt,
    pub(super) seed: u64,
    pub(super) pause: Duration,
}

impl Turn<'_> {
    /// Returns a choice that follows from the seed.
    fn pick<T: Copy>(&self, choices: &[T]) -> T {
        choices[usize::try_from(self.seed).unwrap_or_default() % choices.len()]
    }

    fn draft_value(&self) -> Value {
        if self.prompt.is_article {
            draft(&self.prompt, &mut Random::new(self.seed))
        } else {
            json!({ "word": "ready" })
        }
    }

    fn draft(&self) -> String {
        self.draft_value().to_string()
    }

    /// Returns another draft, which must not be published.
    fn discarded(&self) -> String {
        let mut draft = draft(&self.prompt, &mut Random::new(!self.seed));
        draft["title"] = DISCARDED_TITLE.into();
        draft.to_string()
    }

    fn say(&self, text: &str) -> Answer {
        self.send(&json!({ "content": text }), "stop")
    }

    /// Sends a message. Every other seed ignores that the client asks for a stream, as some endpoints do.
    fn send(&self, message: &Value, finish: &str) -> Answer {
        if self.body["stream"] == true && self.seed.is_multiple_of(2) {
            let has_usage = self.body["stream_options"]["include_usage"] == true;
            Answer::Stream(events(message, finish, has_usage), Duration::ZERO)
        } else {
            whole(message, finish)
        }
    }
}

fn tool_call(turn: &mut Turn<'_>) -> Answer {
    let call = |arguments: Value| json!([{ "id": "call_1", "type": "function", "function": { "name": "article_draft", "arguments": arguments } }]);
    let (text, object) = (Value::from(turn.draft()), turn.draft_value());
    let message = match turn.seed % 3 {
        0 => json!({ "content": null, "tool_calls": call(text) }),
        1 => json!({ "content": "", "tool_calls": call(object) }),
        _ => json!({ "content": "I hand it in.", "function_call": { "name": "article_draft", "arguments": text } }),
    };
    turn.send(&message, "tool_calls")
}

fn error_in_200(turn: &mut Turn<'_>) -> Answer {
    if turn.number > 0 {
        return turn.say(&turn.draft());
    }
    let errors = [
        json!({ "error": { "code": 429, "message": "Rate limit exceeded", "metadata": { "provider_name": "a" } } }),
        json!({ "error": { "code": "502", "message": "Provider returned error" }, "user_id": "u" }),
        json!({ "choices": [{ "error": { "code": 503, "message": "Overloaded" }, "finish_reason": "error", "message": { "content": "" } }] }),
        json!({ "error": { "type": "rate_limit_error", "message": "Slow down" } }),
    ];
    let [one, two, three, four] = &errors;
    Answer::Whole(200, turn.pick(&[one, two, three, four]).clone())
}

fn error_in_stream(turn: &mut Turn<'_>) -> Answer {
    if turn.number > 0 {
        return turn.say(&turn.draft());
    }
    let mut sent = events(&json!({ "content": turn.draft() }), "stop", false);
    sent.truncate(sent.len() / 2);
    sent.push(match turn.seed % 2 {
        0 => json!({ "error": { "code": 502, "message": "Provider disconnected" }, "choices": [{ "delta": { "content": "" }, "finish_reason": "error" }] }),
        _ => json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
    });
    Answer::Stream(sent, Duration::ZERO)
}

fn no_system_role(turn: &mut Turn<'_>) -> Answer {
    let has_system = turn.body["messages"].as_array().into_iter().flatten().any(|message| message["role"] == "system");
    if !has_system {
        return turn.say(&turn.draft());
    }
    let (status, message) = turn.pick(&[
        (400, "System role not supported"),
        (500, "Jinja Exception: System role not supported"),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
    ]);
    error(status, message)
}

fn small_context(turn: &mut Turn<'_>) -> Answer {
    let limits = ["max_tokens", "max_completion_tokens"];
    let asked = limits.iter().find_map(|name| turn.body.get(name)?.as_u64()).unwrap_or(16);
    let (used, window) = (u64::try_from(turn.prompt.tokens).unwrap_or(u64::MAX), SMALL_WINDOW);
    let is_for_response = turn.seed % 5 == 4;
    if asked + if is_for_response { 0 } else { used } <= window {
        return turn.say(&turn.draft());
    }
    let sum = asked + used;
    let message = match turn.seed % 5 {
        0 => format!(
            "This model's maximum context length is {window} tokens. However, you requested {sum} tokens ({used} in the messages, {asked} in the completion). Please reduce the length of the messages or completion."
        ),
        1 => format!(
            "'max_tokens' or 'max_completion_tokens' is too large: {asked}. This model's maximum context length is {window} tokens and your request has {used} input tokens ({asked} > {window} - {used})."
        ),
        2 => format!(
            "Requested token count exceeds the model's maximum context length of {window} tokens. You requested a total of {sum} tokens: {used} tokens from the input messages and {asked} tokens for the completion."
        ),
        3 => format!(
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= {window}. Given: {used} `inputs` tokens and {asked} `max_new_tokens`"
        ),
        _ => format!(
            "max_tokens is too large: {asked}. This model supports at most {window} completion tokens, whereas you provided {asked}."
        ),
    };
    error(400, &message)
}

fn azure(turn: &mut Turn<'_>) -> Answer {
    match (turn.has_api_version, turn.headers.contains_key("api-key"), turn.headers.contains_key("authorization")) {
        (false, _, _) => error(404, "Resource not found"),
        (true, true, false) => turn.say(&turn.draft()),
        (true, _, _) => error(401, "Access denied due to invalid subscription key or wrong API endpoint."),
    }
}

fn no_schema(turn: &mut Turn<'_>) -> Answer {
    let format = turn.body["response_format"]["type"].as_str();
    let (status, message) = turn.pick(&[
        (400, "'response_format' of this type is not supported"),
        (404, "No endpoints found that can handle the requested parameters."),
    ]);
    match format {
        Some("json_object") if turn.seed % 4 < 2 => turn.say(&turn.draft()),
        None => turn.say(&turn.draft()),
        Some(_) => error(status, message),
    }
}
