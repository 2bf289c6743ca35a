//! The dashboard, as a browser without JavaScript uses it: pages, forms and a cookie.

mod articles;
mod browser;
mod isolation;
mod pipeline;
mod security;
mod sign_in;
mod websites;
