//! The public API and lead intake over HTTP. Use cases are in `app`. Only `problem` contains status codes.

mod articles;
mod body;
mod capture;
mod conditional;
mod confirmation;
mod confirmation_words;
mod credentials;
mod deadlines;
mod documentation;
mod form_pages;
mod forwarded;
mod generate;
mod handle_request;
mod jobs;
mod large_bodies;
mod listener;
mod lists;
mod message_page;
mod multipart;
mod prefer;
mod problem;
mod query;
mod quotas;
mod request_pipeline;
mod response;
mod route;
mod service_pages;

pub use deadlines::Deadlines;
pub use listener::Listener;
pub use problem::Code;
pub use quotas::Quotas;
pub use route::{FORM_ROUTES, FormRoute, Part, ROUTES, Route, router};
