//! What an operator sets up from the command line: accounts, websites, keys, hooks. Printing it is `cli`'s business.

mod accounts;
mod bounds;
mod error;
mod hooks;
mod keys;
mod websites;

pub use error::AdminError;
pub use hooks::NewHook;
pub use keys::NewKey;
pub use websites::NewWebsite;
