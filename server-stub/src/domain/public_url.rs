//! Public address of the server. It may have a path, under which a reverse proxy serves the server.

use std::str::FromStr;
use std::sync::Arc;

use url::Url;

/// Scheme, host, port and an optional path. The default is for a server without a known address: its links are paths only. Clones
/// share the texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublicUrl {
    origin: Arc<str>,
    /// Empty, or a path that begins with a slash and does not end with one.
    path: Arc<str>,
}

impl PublicUrl {
    /// Returns scheme, host and port, as browsers send them in `Origin`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the path prefix of public addresses; empty unless a proxy strips one.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns true if `authority`, such as the value of `Host`, names this address.
    pub fn is_at(&self, authority: &str) -> bool {
        let scheme = self.origin.split("://").next().unwrap_or_default();
        Url::parse(&format!("{scheme}://{authority}"))
            .is_ok_and(|url| url.origin().ascii_serialization() == *self.origin)
    }

    /// Returns true if both addresses have the same host, on any port. Browsers do not separate cookies by port.
    pub fn shares_host_with(&self, other: &Self) -> bool {
        let host = |url: &Self| Url::parse(&url.origin).ok().and_then(|url| url.host_str().map(str::to_owned));
        host(self) == host(other)
    }

    /// Returns the origin as a source of a content security policy for pages of `other`.
    pub fn policy_source(&self, other: &Self) -> &str {
        if self.origin == other.origin { "'self'" } else { &self.origin }
    }

    /// Returns the public path for a path of the server: a reference that clients resolve on the same host.
    pub fn reference(&self, path: &str) -> String {
        format!("{}{path}", self.path)
    }

    /// Returns the link to a path on pages of `other`: a reference if both have the same origin.
    pub fn link_from(&self, other: &Self, path: &str) -> String {
        if self.origin == other.origin { self.reference(path) } else { self.absolute(path) }
    }

    /// Returns the absolute address of a path of the server.
    pub fn absolute(&self, path: &str) -> String {
        format!("{}{}{path}", self.origin, self.path)
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    /// Reads `https://example.com` or `https://example.com/content`, with or without a slash at the end.
    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).ok().filter(is_public_url);
        let url = url.ok_or("write it like https://articles.example.com or https://example.com/content")?;
        let path = url.path().trim_end_matches('/');
        Ok(Self { origin: url.origin().ascii_serialization().into(), path: path.into() })
    }
}

fn is_public_url(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none()
        // A reference that begins with two slashes would name another host.
        && !url.path().contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_compared_without_its_case_and_the_default_port() {
        let url: PublicUrl = "https://pages.example.com".parse().unwrap();
        for authority in ["pages.example.com", "Pages.Example.com", "pages.example.com:443"] {
            assert!(url.is_at(authority), "{authority}");
        }
        for authority in ["pages.example.com:8080", "example.com", "pages.example.com.", "", "a b", "[::1"] {
            assert!(!url.is_at(authority), "{authority}");
        }
        let other = |text: &str| text.parse::<PublicUrl>().unwrap();
        assert!(url.shares_host_with(&other("http://pages.example.com:8080/x")));
        assert!(!url.shares_host_with(&other("https://app.example.com")));
    }

    #[test]
    fn an_address_is_read_with_its_path_and_written_as_browsers_write_it() {
        for (text, origin, path) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("https://Example.com:443/", "https://example.com", ""),
            ("https://example.com/content", "https://example.com", "/content"),
            ("https://example.com/a/b c/", "https://example.com", "/a/b%20c"),
            ("https://b\u{fc}cher.example/\u{fc}>", "https://xn--bcher-kva.example", "/%C3%BC%3E"),
            ("https://example.com/a/../b", "https://example.com", "/b"),
        ] {
            let url: PublicUrl = text.parse().unwrap();
            assert_eq!((url.origin(), url.path()), (origin, path), "{text}");
            assert_eq!(url.absolute("/x"), format!("{origin}{path}/x"));
            assert_eq!(url.reference("/x"), format!("{path}/x"));
        }
    }
}
