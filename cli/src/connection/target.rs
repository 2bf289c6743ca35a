//! Data of a connection, with its source if no file names a server: the options and the environment.

use std::path::PathBuf;

use crate::arguments::{API_KEY, BASE_URL, CA_CERT, WEBSITE_ID, variable};
use crate::failure::Failure;

/// Advice for a user without a server.
const TRY: &str = "`contentgen login --base-url URL` stores a server with its key; `contentgen-server serve --demo` starts a server to try and prints the variables to set";

/// Data of a connection.
pub(crate) struct Target {
    pub(super) base_url: String,
    pub(super) api_key: String,
    pub(super) website_id: Option<String>,
    pub(super) failing_topic: Option<String>,
    pub(super) dashboard_url: Option<String>,
    /// File with further certificate authorities.
    pub(super) ca_cert: Option<PathBuf>,
}

impl Target {
    /// Returns the data of the environment. `base_url` overrides its server.
    pub(super) fn from_environment(base_url: Option<String>) -> Result<Self, Failure> {
        let missing = |what: &str| Failure::usage(what).advise(TRY);
        let base_url = base_url.or_else(|| variable(BASE_URL));
        let base_url =
            base_url.ok_or_else(|| missing("no server: set CONTENTGEN_BASE_URL, --base-url or --profile"))?;
        let api_key = variable(API_KEY)
            .ok_or_else(|| missing("no key: set CONTENTGEN_API_KEY to a platform key of that server"))?;
        Ok(Self {
            base_url,
            api_key,
            website_id: variable(WEBSITE_ID),
            failing_topic: None,
            dashboard_url: None,
            ca_cert: variable(CA_CERT).map(PathBuf::from),
        })
    }
}
