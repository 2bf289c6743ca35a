//! Rest of a body that has begun.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures::stream::{BoxStream, StreamExt as _};

/// Channel for the next pieces.
type Pieces = BoxStream<'static, Result<Bytes, BrokenOff>>;

/// Remaining pieces of a body, until it ends or breaks off. Copies share them, and only one of them is written.
#[derive(Clone)]
pub struct Rest(Arc<Mutex<Option<Pieces>>>);

/// Error if the sender of a body stopped before its end.
#[derive(Debug, thiserror::Error)]
#[error("the body was not sent to its end")]
pub struct BrokenOff;

impl Rest {
    pub(crate) fn new(pieces: Pieces) -> Self {
        Self(Arc::new(Mutex::new(Some(pieces))))
    }

    /// Takes the pieces for writing.
    pub(crate) fn take(&self) -> Pieces {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.take().unwrap_or_else(|| futures::stream::empty().boxed())
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rest").finish_non_exhaustive()
    }
}

impl PartialEq for Rest {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Rest {}
