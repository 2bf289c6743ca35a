//! The program `contentgen-server`: its commands, and what an operator does with hooks, keys and databases.

mod commands;
mod hooks;
mod postgres;
mod program;
mod retention;
mod secret_key;
