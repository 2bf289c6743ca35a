//! The key by which a provider of language models knows this server. It is shown nowhere.

use std::fmt;

use zeroize::Zeroizing;

/// A key for a language model.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelKey(Zeroizing<String>);

impl ModelKey {
    /// Longest key.
    pub const MAX_CHARS: usize = 1000;

    /// Reads a key, white space around it aside. `None` for what cannot stand in a header of HTTP.
    pub fn parse(text: &str) -> Option<Self> {
        let key = text.trim();
        let is_key = (1..=Self::MAX_CHARS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| Self(Zeroizing::new(key.to_owned())))
    }

    /// The key itself, for the header that carries it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ModelKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ModelKey(…)")
    }
}
