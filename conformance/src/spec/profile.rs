//! The two profiles a server can be held to.
//!
//! What each relaxes in the document lives in `projection`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of the contract a run demands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The documented facts only; nothing that the service description does not show can fail.
    Core,
    /// The whole of the OpenAPI document.
    #[default]
    Full,
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Core => "core",
            Self::Full => "full",
        })
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "core" => Ok(Self::Core),
            "full" => Ok(Self::Full),
            other => Err(format!("`{other}` is not a profile: use `core` or `full`")),
        }
    }
}
