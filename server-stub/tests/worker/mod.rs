//! A generator whose failures and pauses a test decides.

pub(crate) mod scripted;
