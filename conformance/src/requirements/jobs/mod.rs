//! Jobs.

pub(super) mod cache;
pub(super) mod cancel;
pub(super) mod details;
pub(super) mod done;
pub(super) mod echo;
pub(super) mod etag;
pub(super) mod failed;
pub(super) mod finish;
pub(super) mod long_poll;
pub(super) mod poll;
pub(super) mod progress;
pub(super) mod retry_after;
pub(super) mod terminal;
pub(super) mod times;
pub(super) mod unknown;
