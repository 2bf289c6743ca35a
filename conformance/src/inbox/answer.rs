//! Scripted responses of the receiver to webhooks.
//!
//! `runner::receiver` sends them.

use std::time::Duration;

/// One scripted response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAnswer {
    /// This status, immediately. A redirect points to the same path with the script's marker as its query.
    Status(u16),
    /// This status with `Retry-After` in seconds.
    RetryAfter(u16, u64),
    /// This status with this JSON as its body.
    Json(u16, &'static str),
    /// This status after a delay.
    Slow(Duration, u16),
    /// No response, until the sender gives up or the receiver's limit is reached.
    Hang,
    /// 200 with an endless body, until the sender gives up or the receiver's limit is reached.
    Endless,
}

impl HookAnswer {
    /// Returns the status of the response; 0 without a response.
    pub fn status(self) -> u16 {
        match self {
            Self::Status(status) | Self::RetryAfter(status, _) | Self::Json(status, _) | Self::Slow(_, status) => {
                status
            }
            Self::Hang => 0,
            Self::Endless => 200,
        }
    }
}
