//! Parses the address of an endpoint in the forms that operators paste.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Paths of API calls that operators paste with the address.
const CALLS: [&str; 3] = ["/chat/completions", "/messages", "/models"];
/// Parameter of Azure's addresses, the only one that an address may have.
const API_VERSION: &str = "api-version";
/// End of the hosts of Azure.
const AZURE: &str = ".azure.com";

/// Base URL of an endpoint, including the API version, such as `http://127.0.0.1:11434/v1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Reason why an endpoint's address is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an HTTP address.
    #[error("write it like https://api.openai.com/v1 or http://127.0.0.1:11434/v1")]
    Form,
    /// The address contains a user name or a password.
    #[error("it must not contain a user name or password; set CONTENTGEN_MODEL_KEY to the key")]
    Credentials,
    /// The address contains a query other than the version of Azure's API, or a fragment.
    #[error("it must not contain a fragment (`#`), nor a query (`?`) other than Azure's `?api-version=…`")]
    Query,
}

impl BaseUrl {
    /// Returns the URL of a call, such as `chat/completions`.
    pub(super) fn call(&self, call: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{call}", self.0.path().trim_end_matches('/')));
        url
    }

    /// Returns the host of the address.
    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns true if the endpoint is Azure OpenAI or a gateway like it, which takes the key in the header `api-key`.
    pub(super) fn is_azure(&self) -> bool {
        self.0.query().is_some() || self.host().ends_with(AZURE)
    }

    /// Returns true if requests are readable in transit: plain HTTP to another machine.
    pub fn is_readable_on_the_way(&self) -> bool {
        let is_here = match self.0.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            Some(Host::Domain(name)) => name == "localhost",
            None => false,
        };
        self.0.scheme() == "http" && !is_here
    }
}

impl FromStr for BaseUrl {
    type Err = BaseUrlError;

    fn from_str(text: &str) -> Result<Self, BaseUrlError> {
        let mut url = Url::parse(text.trim()).map_err(|_| BaseUrlError::Form)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(BaseUrlError::Form);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlError::Credentials);
        }
        let has_other_query =
            url.query().is_some_and(str::is_empty) || url.query_pairs().any(|(name, _)| name != API_VERSION);
        if has_other_query || url.fragment().is_some() {
            return Err(BaseUrlError::Query);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let path = CALLS.iter().find_map(|call| path.strip_suffix(call)).unwrap_or(&path).trim_end_matches('/');
        // Azure's API is below `/openai/v1`, all others are below `/v1`.
        let usual = if url.host_str().is_some_and(|host| host.ends_with(AZURE)) { "/openai/v1" } else { "/v1" };
        url.set_path(if path.is_empty() { usual } else { path });
        Ok(Self(url))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_forms_of_an_address_are_normalised() {
        for text in [
            "http://127.0.0.1:11434",
            "http://127.0.0.1:11434/",
            "http://127.0.0.1:11434/v1",
            " http://127.0.0.1:11434/v1/ ",
            "http://127.0.0.1:11434/v1//",
            "http://127.0.0.1:11434/v1/chat/completions",
            "http://127.0.0.1:11434/v1/models/",
        ] {
            let url: BaseUrl = text.parse().unwrap();
            assert_eq!(url.to_string(), "http://127.0.0.1:11434/v1", "{text}");
            assert_eq!(url.call("models").as_str(), "http://127.0.0.1:11434/v1/models");
        }
        let nested: BaseUrl = "https://gateway.example/openai/v1".parse().unwrap();
        assert_eq!(nested.call("chat/completions").as_str(), "https://gateway.example/openai/v1/chat/completions");
        let azure = "https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21";
        let deployment: BaseUrl = azure.parse().unwrap();
        assert_eq!(deployment.call("chat/completions").as_str(), azure);
        let bare: BaseUrl = "https://a.openai.azure.com".parse().unwrap();
        assert_eq!(bare.to_string(), "https://a.openai.azure.com/openai/v1");
        assert!(deployment.is_azure() && bare.is_azure() && !nested.is_azure());
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for (text, expected) in [
            ("", BaseUrlError::Form),
            ("127.0.0.1:11434", BaseUrlError::Form),
            ("ftp://a.example", BaseUrlError::Form),
            ("https://name:secret@a.example/v1", BaseUrlError::Credentials),
            ("https://a.example/v1?key=secret", BaseUrlError::Query),
            ("https://a.example/v1?api-version=1&key=secret", BaseUrlError::Query),
            ("https://a.example/v1#api-version=1", BaseUrlError::Query),
        ] {
            assert_eq!(text.parse::<BaseUrl>(), Err(expected), "{text}");
        }
    }

    #[test]
    fn plain_http_is_private_on_this_machine_only() {
        let is_readable = |text: &str| text.parse::<BaseUrl>().unwrap().is_readable_on_the_way();
        assert!(is_readable("http://10.0.0.7:8000/v1") && is_readable("http://models.internal/v1"));
        assert!(
            !is_readable("http://127.0.0.1:8000/v1")
                && !is_readable("http://[::1]:8000")
                && !is_readable("http://localhost")
        );
        assert!(!is_readable("https://api.openai.com/v1"));
    }
}
