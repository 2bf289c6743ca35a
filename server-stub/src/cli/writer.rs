//! The writer of articles, for `serve`, `write` and `writer check`.

use std::sync::Arc;

use super::failure::{Exit, Failure};
use super::output::print;
use crate::config::{WriterKind, WriterOptions};
use crate::generation::ArticleGenerator;

/// Returns the generator that the options choose; `None` for the offline writer, which needs no set-up.
pub(super) fn generator(options: &WriterOptions) -> Result<Option<Arc<dyn ArticleGenerator>>, Failure> {
    if options.kind == WriterKind::Offline {
        refuse_unused(options)?;
        return Ok(None);
    }
    model::generator(options).map(Some)
}

/// Tries the writer that the options choose. Returns an error if it cannot write articles.
pub(super) async fn check(options: &WriterOptions) -> Result<(), Failure> {
    if options.kind == WriterKind::Offline {
        refuse_unused(options)?;
        return print(
            "writer    ok    offline; it needs nothing. --writer openai or --writer anthropic asks a language model\n",
        );
    }
    model::check(options).await
}

/// Refuses options of a language model if no language model writes.
fn refuse_unused(options: &WriterOptions) -> Result<(), Failure> {
    let given = [
        ("--model", options.model.as_deref()),
        ("--model-url", options.model_url.as_deref()),
        ("--model-proxy", options.proxy()),
    ];
    match given.iter().find(|(_, value)| value.is_some()) {
        Some((option, _)) => {
            let message = format!("{option} needs --writer openai or --writer anthropic");
            Err(Failure::new(Exit::Usage, message))
        }
        None => Ok(()),
    }
}

/// Writers that use a language model.
mod model {
    use std::fmt::Write as _;
    use std::time::Duration;

    use super::{Arc, ArticleGenerator, Exit, Failure, WriterKind, WriterOptions, print};
    use crate::generation::model::{BaseUrl, ModelProxy, ModelSettings, ModelWriter, Provider, Verdict};
    use crate::randomness::SystemRandomness;

    pub(super) fn generator(options: &WriterOptions) -> Result<Arc<dyn ArticleGenerator>, Failure> {
        let settings = settings(options)?;
        let (url, writer) = (settings.base_url.to_string(), settings.writer_name());
        if settings.key.is_some() && settings.base_url.is_readable_on_the_way() {
            tracing::warn!(%url, "the key for the language model is sent unencrypted; use https:// outside your own network");
        }
        tracing::info!(%writer, %url, has_prices = settings.prices.is_some(), "articles are written by a language model");
        Ok(Arc::new(writer_of(settings)?))
    }

    pub(super) async fn check(options: &WriterOptions) -> Result<(), Failure> {
        let settings = settings(options)?;
        let name = settings.writer_name();
        let lines = writer_of(settings)?.check().await;
        let mut text = String::new();
        for line in &lines {
            let verdict = match line.verdict {
                Verdict::Good => "ok",
                Verdict::Note => "note",
                Verdict::Bad => "bad",
            };
            writeln!(text, "{:<9} {verdict:<5} {}", line.step, line.text).expect("a string takes everything");
        }
        print(&text)?;
        if lines.iter().any(|line| line.verdict == Verdict::Bad) {
            return Err(Failure::new(
                Exit::Failed,
                format!("{name} cannot write articles; fix the steps that are `bad`"),
            ));
        }
        Ok(())
    }

    fn writer_of(settings: ModelSettings) -> Result<ModelWriter, Failure> {
        ModelWriter::new(settings, Arc::new(SystemRandomness))
            .map_err(|error| Failure::new(Exit::CannotStart, error.to_string()))
    }

    fn settings(options: &WriterOptions) -> Result<ModelSettings, Failure> {
        let usage = |message: String| Failure::new(Exit::Usage, message);
        let provider = match options.kind {
            WriterKind::Offline | WriterKind::Openai => Provider::OpenAi,
            WriterKind::Anthropic => Provider::Anthropic,
        };
        let model = options.model.as_deref().map(str::trim).unwrap_or_default();
        let is_name = (1..=ModelSettings::MAX_MODEL_CHARS).contains(&model.len())
            && model.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if !is_name {
            return Err(usage(format!(
                "--model must be the provider's name of the model, 1 to {} visible ASCII characters",
                ModelSettings::MAX_MODEL_CHARS
            )));
        }
        let base_url = match &options.model_url {
            Some(url) => url.parse::<BaseUrl>().map_err(|error| usage(format!("--model-url is not valid: {error}")))?,
            None => provider.default_url(),
        };
        let invalid = || usage("--model-proxy is not valid: write it like http://proxy.example:3128".to_owned());
        Ok(ModelSettings {
            key: options.key(),
            proxy: options.proxy().map(|url| ModelProxy::parse(url).ok_or_else(invalid)).transpose()?,
            timeout: Duration::from_secs(options.model_timeout.into()),
            max_output_tokens: options.model_max_tokens,
            prices: options.prices(),
            ..ModelSettings::new(provider, base_url, model)
        })
    }
}
