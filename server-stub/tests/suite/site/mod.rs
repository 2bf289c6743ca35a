//! The hosted site for browsers, feed readers and search engines.

mod addresses;
mod feed;
mod harness;
mod pages;
mod sitemap;
