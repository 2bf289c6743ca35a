//! Why a run cannot begin.
//!
//! What breaks during a run is an outcome, not an error: see `outcome`.

/// The run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SetUpError {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Configuration(String),
    /// The target cannot be reached, or refuses the key.
    #[error("{0}")]
    Target(String),
    /// The built-in document is broken.
    #[error("the built-in OpenAPI document is broken")]
    Document(#[from] crate::spec::SpecError),
}
