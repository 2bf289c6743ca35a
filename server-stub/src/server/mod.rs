//! Starts all of a server in this process and stops it again. The command line is a thin layer over this, and so is every
//! test. What the parts do lives in their modules.

mod builder;
mod error;
mod running;
mod settings;
mod start;

pub use builder::{Server, ServerBuilder};
pub use error::StartError;
pub use running::Running;
pub use settings::{Database, Settings};
pub use start::start;
