//! `listen`.

mod fetch;
mod forward;
mod receive;
