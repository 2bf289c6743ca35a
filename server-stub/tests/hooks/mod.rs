//! A receiver on a real socket, and a store with a dispatcher that sends to it.

pub(crate) mod receiver;
pub(crate) mod station;
