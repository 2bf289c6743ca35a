//! The API key, in a type that never shows it.

use std::fmt;

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value;

use crate::config::{ConfigError, pasted};

/// Replacement for a key in any text that is shown.
pub(crate) const REDACTED: &str = "[redacted]";

/// Minimum number of characters of a key that cannot be guessed.
const SHORTEST_SECRET: usize = 8;

/// A platform key, ready to be sent, or none.
#[derive(Clone)]
pub(crate) struct ApiKey {
    header: Option<HeaderValue>,
}

impl ApiKey {
    /// Parses a key that is valid in a header: visible ASCII without spaces. Quotes and `Bearer` in front of it are removed.
    pub(crate) fn parse(key: &str) -> Result<Self, ConfigError> {
        let key = pasted(key);
        let key = pasted(key.strip_prefix("Bearer ").unwrap_or(key));
        if key.is_empty() {
            return Err(ConfigError::MissingKey);
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ConfigError::InvalidKey);
        }
        let mut header = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| ConfigError::InvalidKey)?;
        header.set_sensitive(true);
        Ok(Self { header: Some(header) })
    }

    /// Returns the empty key of a client without a key.
    pub(crate) const fn none() -> Self {
        Self { header: None }
    }

    /// The value of the `Authorization` header, marked sensitive.
    pub(crate) fn header(&self) -> Option<&HeaderValue> {
        self.header.as_ref()
    }

    /// Removes the key from a text from outside that may repeat it.
    pub(crate) fn mask(&self, text: &str) -> String {
        if self.is_in(text) { text.replace(self.text(), REDACTED) } else { text.to_owned() }
    }

    /// Returns true if a text repeats the key. Short keys are ignored: they occur in any text and are no secret.
    fn is_in(&self, text: &str) -> bool {
        self.text().len() >= SHORTEST_SECRET && text.contains(self.text())
    }

    /// Removes the key from all texts of a JSON value, where the key may have been escaped.
    pub(crate) fn mask_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) if self.is_in(&text) => Value::String(self.mask(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.mask_value(item)).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, member)| (self.mask(&name), self.mask_value(member))).collect()
            }
            other => other,
        }
    }

    /// Removes the key from headers.
    pub(crate) fn mask_headers(&self, headers: &mut HeaderMap) {
        for value in headers.values_mut() {
            if self.is_in(&String::from_utf8_lossy(value.as_bytes())) {
                *value = HeaderValue::from_static(REDACTED);
            }
        }
    }

    fn text(&self) -> &str {
        let header = self.header.as_ref().and_then(|header| header.to_str().ok());
        header.unwrap_or_default().trim_start_matches("Bearer ")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}
