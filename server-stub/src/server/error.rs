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
    #[error("cannot create a temporary folder for the database; choose a database with --database")]
    TemporaryFolder(#[source] io::Error),
    /// The address cannot be listened on.
    #[error("{address} is in use; stop the program that listens there or choose another address with {option}")]
    AddressInUse {
        /// Where.
        address: SocketAddr,
        /// What chooses it.
        option: &'static str,
    },
    /// The address cannot be listened on for another reason.
    #[error("cannot listen on {address} ({source}); choose another address with {option}")]
    Address {
        /// Where.
        address: SocketAddr,
        /// What chooses it.
        option: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The folder for published files cannot be written to.
    #[error("cannot write to the folder {} ({source}); create it, or choose another one with --publish-root", folder.display())]
    PublishRoot {
        /// Which.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The database refused.
    #[error(transparent)]
    Store(#[from] crate::domain::store::Error),
    /// The demonstration's accounts cannot be set up.
    #[error("cannot set up the demonstration")]
    Demo(#[source] AdminError),
}
