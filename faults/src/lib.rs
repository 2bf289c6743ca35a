#![doc = include_str!("../README.md")]

pub mod catalogue;
pub mod cli;
mod clock;
pub mod edge;
pub mod hooks;
pub mod memory;
pub mod message;
pub mod model;
mod server;

pub use server::{FaultyServer, StartError};
