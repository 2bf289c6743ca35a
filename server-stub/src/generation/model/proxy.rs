//! The HTTP proxy between the server and an endpoint.

use std::fmt;

use reqwest::Proxy;
use url::Url;

/// Address of an HTTP proxy. `Debug` hides it, because it may contain a password.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelProxy(Url);

impl ModelProxy {
    /// Reads an address such as `http://name:password@proxy.example:3128`; `None` if it is not that of an HTTP proxy.
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text.trim()).ok()?;
        let is_address =
            matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
        is_address.then_some(Self(url))
    }

    /// Returns the proxy for all requests of a client.
    pub(super) fn for_all(&self) -> reqwest::Result<Proxy> {
        Proxy::all(self.0.clone())
    }
}

impl fmt::Debug for ModelProxy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ModelProxy(…)")
    }
}
