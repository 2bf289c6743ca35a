//! Dashboard: pages on which the users of an account manage it. Each page is a file with its template beside it. `routes` lists all
//! pages, `guard` controls access, and `app` contains the use cases.

mod account;
mod articles;
mod assets;
mod csv;
mod error;
mod error_page;
mod field_errors;
mod form;
mod guard;
mod hooks;
mod keys;
mod layout;
mod leads;
mod notice;
mod overview;
mod paging;
mod pipeline;
mod routes;
mod session_cookie;
mod short_id;
mod sign_in;
mod theme;
mod time;
mod visit;
mod voices;
mod websites;

pub use routes::{Access, Route, RouteKind, router, routes};

/// State shared by all pages.
#[derive(Debug)]
struct Dashboard {
    app: std::sync::Arc<crate::app::App>,
    public_url: crate::domain::public_url::PublicUrl,
}
