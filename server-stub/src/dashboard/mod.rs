//! Dashboard: pages on which the users of an account manage it. Each page is a file with its template beside it. `routes` lists all
//! pages, `guard` controls access, and `app` contains the use cases.

mod account;
mod articles;
mod chart;
mod confirm;
mod csv;
mod display;
mod error;
mod form;
mod guard;
mod hooks;
mod keys;
mod layout;
mod leads;
mod notice;
mod overview;
mod pipeline;
mod routes;
mod session_cookie;
mod sign_in;
mod theme;
mod visit;
mod voices;
mod websites;

use display::{DisplayTime, short_id};
use error::{Failure, Result, sentence};
use form::{FieldErrors, Form, Paging, ticked};
use layout::{Layout, Section};
use notice::Notice;
pub use routes::{Access, Route, RouteKind, router, routes};
use visit::Visit;

/// State shared by all pages.
#[derive(Debug)]
struct Dashboard {
    app: std::sync::Arc<crate::app::App>,
    public_url: crate::domain::public_url::PublicUrl,
    /// Public address of the hosted site, which shows previews.
    site_url: crate::domain::public_url::PublicUrl,
}
