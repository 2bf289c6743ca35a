//! Hooks: sent, repeated, signed, managed.

pub(super) mod article;
pub(super) mod cancelled;
pub(super) mod delivery;
pub(super) mod double_opt_in;
pub(super) mod events;
pub(super) mod failed;
pub(super) mod isolation;
pub(super) mod lead;
pub(super) mod payload;
pub(super) mod redirect;
pub(super) mod registration;
pub(super) mod request;
pub(super) mod retry;
pub(super) mod secret;
pub(super) mod signature;
pub(super) mod time;
pub(super) mod times;
pub(super) mod trap;
