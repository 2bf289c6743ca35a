//! The hosted site: the pages on which published articles are read, with the lead form below each, and what search engines
//! and feed readers read. Taking the form is `http`'s business; nothing here writes.

mod assets;
mod feed;
mod language;
mod response;
mod routes;
mod sitemap;
mod structured_data;
mod view;
mod xml_text;

pub use routes::router;
