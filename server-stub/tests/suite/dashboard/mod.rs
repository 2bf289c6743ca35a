//! The dashboard, as a browser without JavaScript uses it: pages, forms and a cookie.

mod account;
pub(crate) mod browser;
mod isolation;
mod keys;
mod security;
mod sign_in;
mod websites;
