//! Finding the server, the key and the website: in a ready file, else on the command line and in the environment.

use std::path::Path;

use contentgen_sdk::types::WebsiteStatus;
use contentgen_sdk::{Client, Error};
use serde::Deserialize;

use crate::arguments::{API_KEY, BASE_URL, Global, WEBSITE_ID, variable};
use crate::failure::{Exit, Failure};

/// What this program calls itself in the `User-Agent` header.
const APPLICATION: &str = concat!("contentgen-cli/", env!("CARGO_PKG_VERSION"));
/// Where a newcomer finds a server.
const TRY: &str = "`contentgen-server serve --demo` starts a server to try and prints the variables to set";

/// A server that can be talked to.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The client, with its key.
    pub(crate) client: Client,
    /// The website of the ready file or of the environment.
    website_id: Option<String>,
}

/// What a server writes into its ready file, as far as it is needed here.
#[derive(Deserialize)]
struct Ready {
    base_url: String,
    accounts: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    api_key: String,
    website_id: String,
}

impl Connection {
    /// The server of the ready file, or the one that the options or the environment name. Nothing is sent yet.
    pub(crate) fn open(options: &Global) -> Result<Self, Failure> {
        let (base_url, api_key, website_id) = match (&options.ready_file, &options.base_url) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage("--ready-file names a server already; leave --base-url out"));
            }
            (Some(path), None) => {
                let Ready { base_url, accounts } = read(path)?;
                let Some(Account { api_key, website_id }) = accounts.into_iter().next() else {
                    let message = format!("{} names no account", path.display());
                    return Err(Failure::usage(message).advise("start the server with --demo"));
                };
                (base_url, api_key, Some(website_id))
            }
            (None, base_url) => {
                let base_url = base_url.clone().or_else(|| variable(BASE_URL));
                let missing = |what: &str| Failure::usage(what).advise(TRY);
                let base_url = base_url.ok_or_else(|| missing("no server: set CONTENTGEN_BASE_URL or --base-url"))?;
                let api_key = variable(API_KEY)
                    .ok_or_else(|| missing("no key: set CONTENTGEN_API_KEY; keys are made in the dashboard"))?;
                (base_url, api_key, variable(WEBSITE_ID))
            }
        };
        let client = Client::builder().base_url(base_url).api_key(api_key).application(APPLICATION).build();
        let client = client.map_err(|error| Failure::from(Error::from(error)))?;
        Ok(Self { client, website_id })
    }

    /// The website to write for: the one asked for, that of the ready file or of the environment, or the first one that
    /// takes articles.
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
        Err(failure.advise("make one in the dashboard, or name one with --website-id"))
    }
}

/// Reads a ready file. Its text is in no message: it has a key in it.
fn read(path: &Path) -> Result<Ready, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let failure = Failure::usage(format!("{} cannot be read: {error}", path.display()));
        failure.advise("the server writes it once it is ready, with `serve --demo --ready-file`")
    })?;
    serde_json::from_str(&text).map_err(|_| Failure::usage(format!("{} is not a server's ready file", path.display())))
}
