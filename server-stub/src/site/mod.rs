//! Hosted site: pages with published articles and lead forms, and the sitemap and feed. It only reads; `http` receives the lead
//! forms.

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
