//! Selects the server from the flags and starts it if needed.
//!
//! `config` reads files and the environment.

use std::path::PathBuf;

use super::arguments::TargetArguments;
use super::config::{self, Configured};
use crate::runner::SetUpError;

/// The selected server; a built-in one runs until this is dropped.
pub(super) struct Chosen {
    pub(super) configured: Configured,
    #[cfg(feature = "reference")]
    _server: Option<crate::reference::Reference>,
}

/// Returns the server that `arguments` select.
pub(super) async fn choose(arguments: &TargetArguments) -> Result<Chosen, SetUpError> {
    if arguments.reference {
        return reference().await;
    }
    let configured = match (&arguments.base_url, &arguments.config) {
        (Some(base_url), _) => config::from_base_url(base_url)?,
        (None, Some(file)) => config::from_file(file)?,
        (None, None) => {
            return Err(SetUpError::Configuration(
                "name a target: --reference, --base-url URL or --config FILE".to_owned(),
            ));
        }
    };
    Ok(Chosen {
        configured,
        #[cfg(feature = "reference")]
        _server: None,
    })
}

/// Parses `flag`, which a run recorded to select its target again.
pub(super) fn parse(flag: &str) -> TargetArguments {
    let mut arguments = TargetArguments::default();
    match flag.split_once(' ') {
        Some(("--base-url", url)) => arguments.base_url = Some(url.to_owned()),
        Some(("--config", file)) => arguments.config = Some(PathBuf::from(file)),
        _ => arguments.reference = flag == "--reference",
    }
    arguments
}

#[cfg(feature = "reference")]
async fn reference() -> Result<Chosen, SetUpError> {
    let server = crate::reference::Reference::start().await?;
    Ok(Chosen { configured: Configured::new(server.target()), _server: Some(server) })
}

#[cfg(not(feature = "reference"))]
#[expect(clippy::unused_async, reason = "with the feature it waits for the server")]
async fn reference() -> Result<Chosen, SetUpError> {
    Err(SetUpError::Configuration(
        "this build has no reference server: build it with the feature `reference`".to_owned(),
    ))
}
