//! The API key for a provider of language models. It is never shown.

use std::fmt;

use zeroize::Zeroizing;

/// An API key for a language model.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelKey(Zeroizing<String>);

impl ModelKey {
    /// Maximum length of a key.
    pub const MAX_CHARS: usize = 1000;

    /// Reads a key and trims white space. `None` if the key cannot be part of an HTTP header.
    pub fn parse(text: &str) -> Option<Self> {
        let key = text.trim();
        let is_key = (1..=Self::MAX_CHARS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| Self(Zeroizing::new(key.to_owned())))
    }

    /// Returns the key itself, for the request header.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ModelKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ModelKey(…)")
    }
}
