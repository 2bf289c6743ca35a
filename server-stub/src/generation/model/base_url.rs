//! The address of an endpoint, in the forms in which people have it.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

/// Ends that people paste with the address, although they belong to one call.
const CALLS: [&str; 3] = ["/chat/completions", "/messages", "/models"];

/// Where an endpoint is, up to and with its version, such as `http://127.0.0.1:11434/v1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// Why an address is none of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BaseUrlError {
    /// Not an address of HTTP.
    #[error("write it like https://api.openai.com/v1 or http://127.0.0.1:11434/v1")]
    Form,
    /// A name or a password in the address.
    #[error("it must not contain a user name or password; set CONTENTGEN_MODEL_KEY to the key")]
    Credentials,
    /// A query or a fragment.
    #[error("it must not contain a query (`?`) or a fragment (`#`)")]
    Query,
}

impl BaseUrl {
    /// The address of a call, such as `chat/completions`.
    pub(super) fn call(&self, call: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{call}", self.0.path().trim_end_matches('/')));
        url
    }

    /// The host, as the address has it.
    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Whether what is sent there can be read on the way: plain HTTP to another machine.
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
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlError::Query);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let path = CALLS.iter().find_map(|call| path.strip_suffix(call)).unwrap_or(&path).trim_end_matches('/');
        // Every provider has its API there.
        url.set_path(if path.is_empty() { "/v1" } else { path });
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
    fn the_forms_in_which_people_have_an_address_lead_to_one() {
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
    }

    #[test]
    fn what_is_no_address_of_an_endpoint_is_refused() {
        for (text, expected) in [
            ("", BaseUrlError::Form),
            ("127.0.0.1:11434", BaseUrlError::Form),
            ("ftp://a.example", BaseUrlError::Form),
            ("https://name:secret@a.example/v1", BaseUrlError::Credentials),
            ("https://a.example/v1?key=secret", BaseUrlError::Query),
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
