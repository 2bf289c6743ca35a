//! `listen`: receives hooks, verifies them, prints what they announce.

mod fetches;
mod receiver;
mod session;
mod view;

pub(super) use session::listen;
