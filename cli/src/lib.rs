#![doc = include_str!("../README.md")]

mod arguments;
mod commands;
mod connection;
mod failure;
mod output;
mod run;
mod text;

pub use run::{command, main};
