//! The two profiles of the contract.
//!
//! `projection` relaxes the document for each.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The part of the contract that a run checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Only the documented facts. A server cannot fail because of anything else.
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
