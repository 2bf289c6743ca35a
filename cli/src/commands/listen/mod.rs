//! `listen`: receives hooks, verifies them, and prints their events.

mod fetches;
mod forward;
mod missed;
mod receiver;
mod reminder;
mod run;
mod session;
mod view;

pub(super) use run::listen;
