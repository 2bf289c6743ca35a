//! Reasons why a run cannot begin.
//!
//! A problem during a run is an outcome, not an error: see `outcome`.

/// The run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// The configuration is invalid.
    #[error("{0}")]
    Configuration(String),
    /// The target cannot be reached, or refuses the key.
    #[error("{0}")]
    Target(String),
    /// The built-in document is broken.
    #[error("the built-in OpenAPI document is broken")]
    Document(#[from] crate::spec::SpecError),
}
