//! Where log lines go: to standard error, as text or JSON, each with the request it belongs to. What is logged never holds keys,
//! bodies, queries or personal data.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::failure::{Exit, Failure};
use crate::config::LogFormat;

/// Starts logging. A process that logs already, such as one that runs several commands in a test, goes on as it did.
pub(super) fn start(filter: &str, format: LogFormat) -> Result<(), Failure> {
    let filter = EnvFilter::builder().parse(filter).map_err(|error| {
        let message =
            format!("--log {filter:?} is not understood ({error}); write it like info or contentgen_server_stub=debug");
        Failure::new(Exit::Usage, message)
    })?;
    let registry = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let started = match format {
        LogFormat::Text => registry.with(lines.with_ansi(std::io::stderr().is_terminal())).try_init(),
        LogFormat::Json => {
            let lines = lines.json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(lines).try_init()
        }
    };
    drop(started);
    // A panic's message may hold what was being worked on; its place is enough to find it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a task panicked");
    }));
    Ok(())
}
