//! Hosted site: pages with published articles and lead forms, and the sitemap and feed. It only reads; `http` receives the lead
//! forms.

mod feeds;
mod response;
mod routes;
mod structured_data;
mod view;

pub use routes::router;
