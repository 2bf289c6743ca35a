//! What every store must keep, whichever database it is: each function is one promise, checked through the `Store` trait.
//! The files that run them open the database.

pub(crate) mod accounts;
pub(crate) mod deliveries;
pub(crate) mod endpoints;
pub(crate) mod erasure;
pub(crate) mod health;
pub(crate) mod jobs;
pub(crate) mod leads;
pub(crate) mod lists;
pub(crate) mod log;
pub(crate) mod promises;
pub(crate) mod publishing;
pub(crate) mod recovery;
pub(crate) mod redelivery;
pub(crate) mod submissions;
pub(crate) mod world;
