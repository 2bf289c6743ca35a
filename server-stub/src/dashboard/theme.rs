//! Light or dark theme: the browser's preference, unless the visitor chose one. A cookie stores the choice.

use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{REFERER, SET_COOKIE};
use http::{HeaderMap, HeaderValue};
use url::Url;

use super::session_cookie::value;
use super::{Dashboard, Form};

const COOKIE: &str = "contentgen_theme";

/// Colour theme of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    fn parse(name: &str) -> Self {
        [Self::Light, Self::Dark].into_iter().find(|theme| theme.as_str() == name).unwrap_or(Self::Auto)
    }

    /// Returns the visitor's choice.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self::parse(value(headers, COOKIE).unwrap_or_default())
    }
}

/// Stores the choice for a year and redirects back to the page. The response to a form cannot be shown again: `is_page` returns
/// false for its path, and the overview is shown instead.
pub(super) fn submit(dashboard: &Dashboard, headers: &HeaderMap, form: &Form, is_page: fn(&str) -> bool) -> Response {
    let theme = Theme::parse(form.text("theme"));
    let referrer = headers.get(REFERER).and_then(|referrer| Url::parse(referrer.to_str().ok()?).ok());
    let base = dashboard.public_url.path();
    let referrer = referrer.filter(|url| url.path().strip_prefix(base).is_some_and(is_page));
    let path = referrer.map(|url| url[url::Position::BeforePath..url::Position::AfterQuery].to_owned());
    let mut response = Redirect::to(&path.unwrap_or_else(|| format!("{base}/dashboard"))).into_response();
    let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000", theme.as_str());
    response
        .headers_mut()
        .append(SET_COOKIE, HeaderValue::from_str(&cookie).expect("fixed texts are a header's value"));
    response
}
