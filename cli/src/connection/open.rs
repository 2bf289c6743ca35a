//! The server that the commands talk to.

use contentgen_sdk::types::WebsiteStatus;
use contentgen_sdk::{Client, ConfigError, Error};

use super::target::Target;
use crate::arguments::Global;
use crate::failure::{Exit, Failure};

/// What this program calls itself in the `User-Agent` header.
pub(super) const APPLICATION: &str = concat!("contentgen-cli/", env!("CARGO_PKG_VERSION"));

/// A server that can be talked to.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The client, with its key.
    pub(crate) client: Client,
    /// Where the server is.
    pub(crate) base_url: String,
    /// The topic whose job fails, where a demonstration named one.
    pub(crate) failing_topic: Option<String>,
    /// The page on which websites are made, where the server named one.
    pub(crate) dashboard_url: Option<String>,
    /// The website of the ready file, of the profile or of the environment.
    website_id: Option<String>,
}

impl Connection {
    /// The server of the ready file, of the profile, or the one that the options or the environment name. Nothing is sent yet.
    pub(crate) fn open(options: &Global) -> Result<Self, Failure> {
        let Target { base_url, api_key, website_id, failing_topic, dashboard_url } = Target::find(options)?;
        let client = Client::builder().base_url(&base_url).api_key(api_key).app_info(APPLICATION).build();
        let client = client.map_err(|error| match error {
            ConfigError::InvalidKey => {
                Failure::usage("the API key contains spaces or other invalid characters; copy it again")
            }
            other => Failure::from(Error::from(other)),
        })?;
        Ok(Self { client, base_url, failing_topic, dashboard_url, website_id })
    }

    /// The website to write for: the one asked for, that of the ready file, of the profile or of the environment, or the first
    /// one that takes articles.
    pub(crate) async fn website(&self, asked_for: Option<String>) -> Result<String, Failure> {
        if let Some(website_id) = asked_for.or_else(|| self.website_id.clone()) {
            return Ok(website_id);
        }
        let mut websites = self.client.list_websites().items();
        while let Some(website) = websites.next().await.transpose()? {
            if website.status == WebsiteStatus::Active {
                return Ok(website.website_id);
            }
        }
        let failure = Failure::new(Exit::Failed, "the account has no active website");
        Err(failure.advise("name one with --website-id; `contentgen websites` lists the websites of this key"))
    }
}
