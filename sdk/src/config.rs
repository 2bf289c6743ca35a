//! Errors of the configuration, base URLs, and variables. Only this file reads the environment.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use reqwest::header::HeaderName;

/// The variable that holds the key.
pub(crate) const KEY_VARIABLE: &str = "CONTENTGEN_API_KEY";
/// The variable that holds the base URL.
pub(crate) const URL_VARIABLE: &str = "CONTENTGEN_BASE_URL";

/// Path of all operations of the API, which people copy with the base URL.
const API_PATH: &str = "/api/v1";

/// Reason why no client could be built. Each message says what to do. No message shows a key.
#[non_exhaustive]
pub enum ConfigError {
    /// No key was given.
    MissingKey,
    /// The key contains characters that are not allowed in a key.
    InvalidKey,
    /// No base URL was given.
    MissingBaseUrl,
    /// The base URL cannot be used, for the reason given.
    InvalidBaseUrl(String),
    /// The base URL begins with `http://`, and the server is not on this machine.
    PlainHttp,
    /// The address of a proxy cannot be used, for the reason given. The text does not show the address.
    InvalidProxy(String),
    /// A certificate or its private key cannot be used, for the reason given.
    InvalidCertificate(String),
    /// A header set for every request is reserved for the client or a single call.
    ReservedHeader(HeaderName),
    /// This connection option of the builder has no effect beside `http_client`.
    IgnoredOption(&'static str),
    /// The HTTP client could not be set up, for the reason given.
    Transport(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingKey => {
                write!(
                    formatter,
                    "no API key: set {KEY_VARIABLE}, or pass a key to the builder; create keys in the dashboard"
                )
            }
            Self::InvalidKey => formatter
                .write_str("the API key contains spaces or other invalid characters: copy it again from the dashboard"),
            Self::MissingBaseUrl => {
                write!(
                    formatter,
                    "no base URL: set {URL_VARIABLE}, or pass one to the builder, such as https://api.example.com"
                )
            }
            Self::InvalidBaseUrl(reason) => write!(formatter, "invalid base URL: {reason}"),
            Self::PlainHttp => formatter.write_str(
                "invalid base URL: over http, anyone on the way could read the API key; use https, or allow it with \
                 `ClientBuilder::allow_plain_http`",
            ),
            Self::InvalidProxy(reason) => write!(formatter, "invalid proxy URL: {reason}"),
            Self::InvalidCertificate(reason) => write!(formatter, "invalid certificate: {reason}"),
            Self::ReservedHeader(name) => {
                write!(formatter, "`{name}` cannot be a default header: the client or the call sets it")
            }
            Self::IgnoredOption(option) => write!(
                formatter,
                "`{option}` has no effect together with `http_client`: set it on that `reqwest::Client`, or leave out one of the two"
            ),
            Self::Transport(reason) => write!(formatter, "cannot set up the HTTP client: {reason}"),
        }
    }
}

/// Shows the message, because `main` prints the `Debug` form of an error that it returns.
impl fmt::Debug for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for ConfigError {}

/// Returns an environment variable if it is set and not blank.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Checks a base URL. Removes slashes and the path of the API at its end.
pub(crate) fn base_url(text: &str, allows_plain_http: bool) -> Result<Url, ConfigError> {
    let refuse = |reason: &str| Err(ConfigError::InvalidBaseUrl(reason.to_owned()));
    let Ok(mut url) = Url::parse(pasted(text)) else {
        return refuse("it is not a URL; write it as https://host or http://host:port");
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("its scheme must be https or http");
    }
    if url.host_str().is_none_or(str::is_empty) {
        return refuse("it has no host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("it contains credentials; pass the API key to the builder instead");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("it has a query or a fragment; remove them, because paths are appended to it");
    }
    if url.scheme() == "http" && !allows_plain_http && !is_here(&url) {
        return Err(ConfigError::PlainHttp);
    }
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix(API_PATH).unwrap_or(path).to_owned();
    url.set_path(&path);
    Ok(url)
}

/// Returns a text of the configuration without the spaces, line breaks and quotes that people paste around it.
pub(crate) fn pasted(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '\u{feff}'))
}

/// Returns true if the address is that of a server on this machine.
pub(crate) fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
