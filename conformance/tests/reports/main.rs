//! What a run writes and what can be done with it afterwards, as people and other programs see it.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test fails the test")]

mod archive;
#[path = "../support/cli.rs"]
mod cli;
mod curl;
mod evidence;
mod html;
mod init;
#[cfg(unix)]
mod interrupt;
mod known;
mod listen;
mod replay;
mod schema;
#[path = "../support/mod.rs"]
mod support;
mod text;
