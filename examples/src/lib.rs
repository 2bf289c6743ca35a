#![doc = include_str!("../README.md")]

mod advice;
mod connection;

pub use advice::{exit_code, with_advice};
pub use connection::{Connection, Server, connect};
