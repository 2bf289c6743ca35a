//! The server from outside: its API, its hosted site, its hooks, its program; and the parts that have a door of their own, which are
//! the store, the worker, the writers and the sender of hooks. One program, since each links the whole server.

#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod api;
mod command_line;
mod crash;
mod dashboard;
mod frozen_time;
mod hooks;
mod language_model;
mod moved_clock;
mod operation;
mod own_parts;
mod personal_data;
mod plain_http;
mod postgres;
mod public_url;
mod publishing;
mod purger;
mod site;
mod store;
mod unused_address;
mod waiting;
mod worker;
mod writer;
