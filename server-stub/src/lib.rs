#![doc = include_str!("../README.md")]

pub mod app;
pub mod cli;
pub mod clock;
mod config;
pub mod dashboard;
pub mod demo;
pub mod domain;
pub mod failpoints;
pub mod generation;
pub mod hooks;
pub mod http;
pub mod metrics;
pub mod publishing;
pub mod purger;
mod queue;
pub mod randomness;
pub mod server;
pub mod site;
pub mod storage;
pub mod wakeups;
