//! The hosted site for browsers, feed readers and search engines.

mod addresses;
mod cache;
mod canonical;
mod feed;
mod harness;
mod languages;
mod own_host;
mod pages;
mod sitemap;
