//! Why a server does not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::app::AdminError;
use crate::storage;

/// Why a server did not start; each is a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] storage::OpenError),
    /// The folder for a temporary database cannot be made.
    #[error("no temporary folder can be made for the database; give one with --database")]
    TemporaryFolder(#[source] io::Error),
    /// The address cannot be listened on.
    #[error("{address} is in use; stop what listens there or choose another address with {option}")]
    AddressInUse {
        /// Where.
        address: SocketAddr,
        /// What chooses it.
        option: &'static str,
    },
    /// The address cannot be listened on for another reason.
    #[error("{address} cannot be listened on ({source}); choose another address with {option}")]
    Address {
        /// Where.
        address: SocketAddr,
        /// What chooses it.
        option: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The folder for published files cannot be written to.
    #[error("{} is no folder that can be written to ({source}); make it, or name another one with --publish-root", folder.display())]
    PublishRoot {
        /// Which.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database refused.
    #[error("the database refused: {0}")]
    Store(#[from] crate::domain::store::Error),
    /// The demonstration's accounts cannot be set up.
    #[error("the demonstration cannot be set up: {0}")]
    Demo(#[source] AdminError),
}
