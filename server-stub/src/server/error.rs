//! Errors that keep a server from starting.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::app::AdminError;
use crate::storage;

/// Reason why a server did not start. Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] storage::OpenError),
    /// The folder for a temporary database cannot be made.
    #[error("cannot create a temporary folder for the database; choose a database with --database")]
    TemporaryFolder(#[source] io::Error),
    /// Another program listens on the address.
    #[error("{address} is in use; stop the program that listens there or choose another address with {option}")]
    AddressInUse {
        /// The address.
        address: SocketAddr,
        /// The command-line option that sets the address.
        option: &'static str,
    },
    /// The server cannot listen on the address for another reason.
    #[error("cannot listen on {address} ({source}); choose another address with {option}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The command-line option that sets the address.
        option: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The folder for published files cannot be written to.
    #[error("cannot write to the folder {} ({source}); create it, or choose another one with --publish-root", folder.display())]
    PublishRoot {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The database returned an error.
    #[error(transparent)]
    Store(#[from] crate::domain::store::Error),
    /// The demonstration's accounts cannot be set up.
    #[error("cannot set up the demonstration")]
    Demo(#[source] AdminError),
}
