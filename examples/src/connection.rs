//! Finds the server, the key and the website to use.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use contentgen_sdk::Client;
use contentgen_sdk::types::WebsiteStatus;
use serde::Deserialize;

use crate::with_advice;

/// Client and website to write for.
#[derive(Debug)]
pub struct Connection {
    /// The client.
    pub client: Client,
    /// The website's id.
    pub website_id: String,
}

/// Fields of a server's ready file that the examples need.
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

/// Address and key of a demonstration server, for programs that start a proxy between it and the client.
pub struct Server {
    /// Base URL of the server.
    pub base_url: String,
    /// Website of the server's first account.
    pub website_id: String,
    key: String,
}

impl Server {
    /// Reads the server and its first account from a ready file.
    ///
    /// # Errors
    ///
    /// A message for people that names the problem and the fix.
    pub fn of(ready_file: &Path) -> Result<Self> {
        let shown = ready_file.display();
        let text = std::fs::read_to_string(ready_file)
            .with_context(|| format!("{shown} cannot be read; the server writes it once it is ready"))?;
        let ready: Ready =
            serde_json::from_str(&text).with_context(|| format!("{shown} is not a server's ready file"))?;
        let Some(account) = ready.accounts.into_iter().next() else {
            bail!("{shown} contains no account; start the server with --demo");
        };
        Ok(Self { base_url: ready.base_url, website_id: account.website_id, key: account.api_key })
    }

    /// Returns a client that sends its requests to `base_url`.
    ///
    /// # Errors
    ///
    /// A message for people.
    pub fn client(&self, base_url: &str) -> Result<Client> {
        let client = Client::builder().base_url(base_url).api_key(&*self.key).build();
        client.map_err(|error| with_advice(&error.into()))
    }
}

/// Omits the key.
impl fmt::Debug for Server {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// Connects to the server in a ready file or, without a ready file, to the server in the environment variables.
///
/// # Errors
///
/// A message for people that names the problem and the fix.
pub async fn connect(ready_file: Option<&Path>, website_id: Option<String>) -> Result<Connection> {
    let Some(path) = ready_file else {
        let client = Client::from_env().map_err(|error| with_advice(&error.into()))?;
        let website_id = match website_id {
            Some(website_id) => website_id,
            None => first_active_website(&client).await?,
        };
        return Ok(Connection { client, website_id });
    };
    let server = Server::of(path)?;
    let client = server.client(&server.base_url)?;
    Ok(Connection { client, website_id: website_id.unwrap_or(server.website_id) })
}

/// Returns the id of the account's first active website.
async fn first_active_website(client: &Client) -> Result<String> {
    let mut websites = client.list_websites().items();
    while let Some(website) = websites.next().await {
        let website = website.map_err(|error| with_advice(&error))?;
        if website.status == WebsiteStatus::Active {
            return Ok(website.website_id);
        }
    }
    bail!("the account has no active website; create one in the dashboard")
}
