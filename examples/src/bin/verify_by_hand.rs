//! Verifies a webhook that was saved as headers and bytes. Shows how to verify without axum, and helps to examine refused webhooks.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use clap::Parser;
use contentgen_sdk::webhook::Verifier;
use http::{HeaderMap, HeaderName, HeaderValue};

/// Checks whether a saved webhook was signed with the secret.
#[derive(Debug, Parser)]
struct Arguments {
    /// A file with the headers, one `name: value` on each line.
    headers: PathBuf,
    /// A file with the received body, byte for byte.
    body: PathBuf,
    /// Time of its receipt, in seconds since 1970; by default the time of its signature, which checks the signature only.
    #[arg(long)]
    received_at: Option<u64>,
    /// The secrets that it may be signed with, separated by commas.
    #[arg(long, env = "CONTENTGEN_HOOK_SECRET", hide_env_values = true, value_delimiter = ',')]
    secret: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is no other way to report this.
            let _written = writeln!(std::io::stderr().lock(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let verifier = Verifier::new(&arguments.secret).context("set CONTENTGEN_HOOK_SECRET to the endpoint's secret")?;
    let shown = arguments.headers.display();
    let text = std::fs::read_to_string(&arguments.headers).with_context(|| format!("{shown} cannot be read"))?;
    let headers = headers(&text)?;
    // Bytes, not text: the signature covers the exact bytes of the body.
    let body =
        std::fs::read(&arguments.body).with_context(|| format!("{} cannot be read", arguments.body.display()))?;
    let signed_at = headers.get("webhook-timestamp").and_then(|value| value.to_str().ok()?.parse().ok());
    let now = arguments.received_at.or(signed_at).unwrap_or_default();
    let hook = verifier.verify_at(&headers, &body, SystemTime::UNIX_EPOCH + Duration::from_secs(now))?;
    let kind = hook.event().map_or_else(
        |error| error.to_string(),
        |event| match event.event_type() {
            "" => "its body has no type".to_owned(),
            tag => tag.to_owned(),
        },
    );
    writeln!(std::io::stdout(), "{} is genuine: {kind}", hook.id())?;
    Ok(())
}

/// Parses the headers in a text. A name may occur several times.
fn headers(text: &str) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, value) =
            line.split_once(':').with_context(|| format!("{line:?} is not a header: it has no colon"))?;
        headers.append(HeaderName::try_from(name.trim())?, HeaderValue::try_from(value.trim())?);
    }
    Ok(headers)
}
