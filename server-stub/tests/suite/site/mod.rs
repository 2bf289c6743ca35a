//! The hosted site: what a reader's browser gets, and what feed readers and search engines get.

mod feed;
mod harness;
mod pages;
mod sitemap;
