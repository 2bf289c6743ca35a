//! The API key, in a type that never shows it.

use std::fmt;

use reqwest::header::HeaderValue;

use crate::config::ConfigError;

/// What stands for a key wherever one would be shown.
pub(crate) const REDACTED: &str = "[redacted]";

/// A platform key, ready to be sent.
#[derive(Clone)]
pub(crate) struct ApiKey {
    header: HeaderValue,
}

impl ApiKey {
    /// Takes a key that can stand in a header: visible ASCII without spaces.
    pub(crate) fn parse(key: &str) -> Result<Self, ConfigError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(ConfigError::MissingKey);
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::InvalidKey);
        }
        let mut header = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| ConfigError::InvalidKey)?;
        header.set_sensitive(true);
        Ok(Self { header })
    }

    /// The value of the `Authorization` header, marked sensitive.
    pub(crate) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Takes the key out of a text that came from outside and may repeat it.
    pub(crate) fn mask(&self, text: String) -> String {
        let key = self.header.to_str().unwrap_or_default().trim_start_matches("Bearer ");
        if text.contains(key) { text.replace(key, REDACTED) } else { text }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}
