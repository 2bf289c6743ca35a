//! `listen`: receives hooks, verifies them, prints what they announce.

mod fetches;
mod forward;
mod missed;
mod receiver;
mod reminder;
mod run;
mod session;
mod view;

pub(super) use run::listen;
