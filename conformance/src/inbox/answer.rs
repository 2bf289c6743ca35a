//! What the receiver answers to one hook, as a script says.
//!
//! How it is put on the wire lives in `runner::receiver`.

use std::time::Duration;

/// One scripted answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookAnswer {
    /// This status, at once. A redirect points at the same path with the script's marker as its query.
    Status(u16),
    /// This status with `Retry-After` in seconds.
    RetryAfter(u16, u64),
    /// This status after a while.
    Slow(Duration, u16),
    /// Nothing, until the sender gives up or the receiver's own limit.
    Hang,
    /// 200 with a body that does not end until the sender gives up or the receiver's own limit.
    Endless,
}

impl HookAnswer {
    /// The status that goes out; 0 when none does.
    pub fn status(self) -> u16 {
        match self {
            Self::Status(status) | Self::RetryAfter(status, _) | Self::Slow(_, status) => status,
            Self::Hang => 0,
            Self::Endless => 200,
        }
    }
}
