//! The dashboard through a browser without JavaScript: pages, forms and a cookie.

mod account;
mod articles;
pub(crate) mod browser;
mod hooks;
mod isolation;
mod keys;
mod leads;
mod overview;
mod pipeline;
mod samples;
mod security;
mod sign_in;
pub(crate) mod steps;
mod voices;
mod websites;
