//! Error page.

use askama::Template;
use axum::response::Response;

use super::Dashboard;
use super::error::Failure;
use super::layout::{PlainLayout, html};
use super::theme::Theme;

#[derive(Template)]
#[template(path = "dashboard/error_page.html")]
struct ErrorPage<'a> {
    layout: PlainLayout,
    text: &'a str,
}

/// Returns the error page for `failure`.
pub(super) fn page(dashboard: &Dashboard, theme: Theme, failure: &Failure) -> Response {
    let (status, heading, text) = failure.page();
    html(status, &ErrorPage { layout: PlainLayout::new(dashboard, theme, heading), text })
}
