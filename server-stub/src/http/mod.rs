//! The public API and lead intake over HTTP. Use cases are in `app`. Only `problem` contains status codes.

mod body;
mod capture;
mod confirmation;
mod documentation;
mod forwarded;
mod generate;
mod listener;
mod operations;
mod outer_layer;
mod pages;
mod prefer;
mod problem;
mod quotas;
mod response;
mod route;
mod slow_readers;

pub use listener::{CONNECTIONS_PER_CLIENT, Listener, MAX_CONNECTIONS};
pub use problem::Code;
pub use quotas::Quotas;
pub use route::{Deadlines, FORM_ROUTES, FormRoute, Part, ROUTES, Route, router};
