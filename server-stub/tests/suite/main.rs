//! The server from outside: its API, hosted site, webhooks and program. Also its public parts: the store, the worker, the writers and the
//! sender of webhooks. All tests are one program, because each program links the whole server.

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
