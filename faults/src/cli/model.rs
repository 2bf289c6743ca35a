//! `model`: a language model in one of the dialects of real servers.

use std::error::Error;
use std::io::{self, Write as _};
use std::time::Duration;

use super::arguments::{Mistake, ModelArguments};
use super::serve::interrupted;
use crate::model::{DIALECTS, Dialect, ModelEndpoint, ModelOptions};
use crate::server::StartError;

pub(super) fn list() -> io::Result<()> {
    let mut output = io::stdout().lock();
    DIALECTS.iter().try_for_each(|dialect| writeln!(output, "{:20} {}", dialect.name, dialect.description))
}

pub(super) async fn model(arguments: &ModelArguments) -> Result<(), Box<dyn Error>> {
    let name = arguments.dialect.as_deref().unwrap_or_default();
    let unknown =
        || Mistake::new(format!("unknown dialect `{name}`; `contentgen-faults model --list` lists all dialects"));
    let dialect = Dialect::find(name).ok_or_else(unknown)?;
    tracing_subscriber::fmt().with_writer(io::stderr).with_target(false).init();
    let options = ModelOptions { seed: arguments.seed, pause: Duration::from_millis(arguments.pause) };
    let failed = |source| StartError::Listen { address: arguments.listen.clone(), source };
    let endpoint = ModelEndpoint::listen(dialect, options, &arguments.listen).await.map_err(failed)?;
    let mut output = io::stdout().lock();
    writeln!(output, "Model: {}  ({})", endpoint.base_url(), dialect.description)?;
    if let Some(proxy) = endpoint.proxy_url() {
        writeln!(output, "Proxy: {proxy}")?;
    }
    let proxy = endpoint.proxy_url().map(|url| format!(" --model-proxy {url}")).unwrap_or_default();
    let url = endpoint.base_url();
    writeln!(
        output,
        "Try:   contentgen-server write --topic 'Keeping a rye starter alive' --writer openai --model test-model --model-url '{url}'{proxy}"
    )?;
    drop(output);
    interrupted().await;
    Ok(())
}
