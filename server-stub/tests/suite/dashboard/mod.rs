//! The dashboard, as a browser without JavaScript uses it: pages, forms and a cookie.

mod browser;
mod isolation;
mod security;
mod sign_in;
mod voices;
mod websites;
