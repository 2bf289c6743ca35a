//! The hosted site: the pages on which published articles are read, with the lead form below each. Taking the form is
//! `http`'s business; nothing here writes.

mod assets;
mod pages;
mod view;

pub use pages::router;
