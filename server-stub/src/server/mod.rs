//! Starts a whole server in this process and stops it again. The command line and the tests use it.

mod builder;
mod running;
mod settings;
mod start;

pub use builder::{Server, ServerBuilder};
pub use running::Running;
pub use settings::{Database, Settings};
pub use start::{StartError, start};
