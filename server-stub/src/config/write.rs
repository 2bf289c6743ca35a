//! The options of the commands that need no database: `write`, `voice` and `writer check`, and of the writer of articles.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::domain::language_model::{ModelKey, ModelPrices};
use crate::domain::public_url::PublicUrl;

#[derive(Debug, Args)]
pub(crate) struct Write {
    /// Topic of the article, 1 to 1000 characters; `-` reads it from standard input.
    #[arg(long)]
    pub(crate) topic: String,
    /// Voice to follow: a TOML file, as `voice template` and `voice learn` print it [default: the built-in voice]
    #[arg(long, value_name = "FILE")]
    pub(crate) voice: Option<PathBuf>,
    /// A phrase that the text must contain; repeatable, at most 10.
    #[arg(long = "keyword", alias = "keywords", value_name = "PHRASE", value_delimiter = ',')]
    pub(crate) keywords: Vec<String>,
    /// Length in words, 200 to 5000.
    #[arg(long, value_name = "NUMBER", default_value_t = 1200)]
    pub(crate) words: u32,
    /// Language of the text, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Name of the website that the text is for.
    #[arg(long, value_name = "NAME", default_value = "Example")]
    pub(crate) website_name: String,
    /// Address of the website that the text is for.
    #[arg(long, value_name = "URL", default_value = "https://example.com")]
    pub(crate) website_url: PublicUrl,
    /// Format of the output.
    #[arg(long, default_value = "markdown")]
    pub(crate) format: ArticleFormat,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writer: WriterOptions,
}

/// Format of a printed article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArticleFormat {
    /// Title, text and questions in `CommonMark` with tables.
    Markdown,
    /// The same as an HTML element `article`.
    Html,
    /// All fields that the article has in the API, with the report on its voice.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Voice {
    /// Show where a text breaks the rules of a voice; the exit code is 1 if it does.
    Check(CheckVoice),
    /// Propose a voice from the common properties of texts, with the evidence for each rule.
    Learn(LearnVoice),
    /// Print the built-in voice as a file to start from, with an explanation of each field.
    Template,
}

#[derive(Debug, Args)]
pub(crate) struct CheckVoice {
    /// Markdown or plain text, at most 1 MiB each; `-` reads standard input. Front matter is left out.
    #[arg(required = true, value_name = "FILE", num_args = 1..=50)]
    pub(crate) files: Vec<PathBuf>,
    /// Voice to follow: a TOML file, as `voice template` and `voice learn` print it.
    #[arg(long, value_name = "FILE")]
    pub(crate) voice: PathBuf,
    /// Language of the text, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Print one JSON object a line for each broken rule.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnVoice {
    /// Texts that have the voice: Markdown or plain text, at most 1 MiB each. Front matter is left out.
    #[arg(required = true, value_name = "FILE", num_args = 1..=50)]
    pub(crate) files: Vec<PathBuf>,
    /// Language of the texts, a tag such as `en` or `en-GB`.
    #[arg(long, default_value = "en")]
    pub(crate) language: String,
    /// Name of the voice, 1 to 80 characters.
    #[arg(long, default_value = "Learnt voice")]
    pub(crate) name: String,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Writer {
    /// Test the language model with two small requests, and show what is wrong.
    Check(WriterOptions),
}

/// Writer of articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WriterKind {
    /// Templates, without any network.
    Offline,
    /// A language model behind chat completions: OpenAI, Ollama, vLLM and others.
    Openai,
    /// A language model behind Anthropic's messages.
    Anthropic,
}

impl WriterKind {
    /// Returns true for a language model.
    pub(crate) const fn asks_a_model(self) -> bool {
        match self {
            Self::Offline => false,
            Self::Openai | Self::Anthropic => true,
        }
    }
}

/// Writer of articles, and settings of a language model.
#[derive(Debug, Clone, Args)]
pub(crate) struct WriterOptions {
    /// Writer of articles.
    #[arg(long = "writer", env = "CONTENTGEN_WRITER", default_value = "offline")]
    pub(crate) kind: WriterKind,
    /// Name of the language model at its provider [default: none]
    #[arg(long = "model", env = "CONTENTGEN_MODEL", value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Base URL of the language model, such as `http://127.0.0.1:11434/v1`; Azure's ends in `?api-version=…` [default: the provider's own address]
    #[arg(long = "model-url", env = "CONTENTGEN_MODEL_URL", value_name = "URL")]
    pub(crate) model_url: Option<String>,
    /// Key for the language model, in the environment only; empty for none.
    #[arg(long = "model-key", env = "CONTENTGEN_MODEL_KEY", hide = true, hide_env_values = true, value_parser = key)]
    model_key: Option<GivenKey>,
    /// HTTP proxy for the language model, such as `http://proxy.example:3128` [default: none]
    #[arg(long = "model-proxy", env = "CONTENTGEN_MODEL_PROXY", value_name = "URL", hide_env_values = true, value_parser = proxy)]
    model_proxy: Option<GivenProxy>,
    /// Seconds without data from the language model after which a request fails.
    #[arg(long = "model-timeout", env = "CONTENTGEN_MODEL_TIMEOUT", default_value = "120", value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(5..=600))]
    pub(crate) model_timeout: u16,
    /// Maximum number of tokens that the language model may write for one draft.
    #[arg(long = "model-max-tokens", env = "CONTENTGEN_MODEL_MAX_TOKENS", default_value = "16384", value_name = "TOKENS",
        value_parser = clap::value_parser!(u32).range(256..=131_072))]
    pub(crate) model_max_tokens: u32,
    /// US dollars for a million tokens that the language model reads, such as `2.5` [default: not known]
    #[arg(long = "model-price-input", env = "CONTENTGEN_MODEL_PRICE_INPUT", value_name = "DOLLARS", value_parser = price,
        requires = "model_price_output")]
    model_price_input: Option<u64>,
    /// US dollars for a million tokens that the language model writes, such as `10` [default: not known]
    #[arg(long = "model-price-output", env = "CONTENTGEN_MODEL_PRICE_OUTPUT", value_name = "DOLLARS", value_parser = price,
        requires = "model_price_input")]
    model_price_output: Option<u64>,
}

/// A key, unless the variable is empty.
#[derive(Debug, Clone)]
struct GivenKey(Option<ModelKey>);

/// URL of a proxy, not yet parsed. It can contain a password.
#[derive(Clone)]
struct GivenProxy(String);

impl fmt::Debug for GivenProxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GivenProxy(..)")
    }
}

impl WriterOptions {
    /// Returns the URL of the proxy, unless it is missing or blank.
    pub(crate) fn proxy(&self) -> Option<&str> {
        self.model_proxy.as_ref().map(|given| given.0.trim()).filter(|url| !url.is_empty())
    }

    /// Returns the key, if one was given.
    pub(crate) fn key(&self) -> Option<ModelKey> {
        self.model_key.as_ref().and_then(|given| given.0.clone())
    }

    /// Returns the prices, if both were given.
    pub(crate) fn prices(&self) -> Option<ModelPrices> {
        let (input, output) = self.model_price_input.zip(self.model_price_output)?;
        Some(ModelPrices { input, output })
    }
}

fn key(text: &str) -> Result<GivenKey, String> {
    if text.trim().is_empty() {
        return Ok(GivenKey(None));
    }
    let key = ModelKey::parse(text)
        .ok_or_else(|| format!("the key must have 1 to {} visible ASCII characters", ModelKey::MAX_CHARS))?;
    Ok(GivenKey(Some(key)))
}

#[expect(clippy::unnecessary_wraps, reason = "clap expects a parser that can fail")]
fn proxy(text: &str) -> Result<GivenProxy, Infallible> {
    Ok(GivenProxy(text.to_owned()))
}

fn price(text: &str) -> Result<u64, String> {
    ModelPrices::parse_one(text).ok_or_else(|| {
        format!("write US dollars for a million tokens, such as 2.5 or 0.075, at most {}", ModelPrices::MAX_DOLLARS)
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        writer: WriterOptions,
    }

    #[test]
    fn debug_hides_the_password_of_the_proxy() {
        let command = Command::parse_from(["test", "--model-proxy", " http://user:secret@127.0.0.1:3128"]);
        assert_eq!(command.writer.proxy(), Some("http://user:secret@127.0.0.1:3128"));
        assert!(!format!("{command:?}").contains("secret"));
    }
}
