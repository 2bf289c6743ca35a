//! Hosted site: pages with published articles and lead forms, and the sitemap and feed. It only reads; `http` receives the lead
//! forms.

mod cache;
mod feeds;
mod response;
mod routes;
mod structured_data;
mod view;
mod words;

pub use routes::router;
