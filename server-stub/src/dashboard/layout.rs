//! Frame of each page, pages and downloads as responses, and the built-in style sheet, script and icons.

use askama::Template;
use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};

use super::notice::NoticeText;
use super::theme::Theme;
use super::{Dashboard, Failure, Result};
use crate::domain::personal::Personal;

/// Caching of assets: short, because their addresses do not change with their content.
const CACHING: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Sections of the dashboard, as in the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Overview,
    Pipeline,
    Articles,
    Leads,
    Websites,
    Voices,
    Keys,
    Hooks,
    Account,
}

impl Section {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Pipeline => "pipeline",
            Self::Articles => "articles",
            Self::Leads => "leads",
            Self::Websites => "websites",
            Self::Voices => "voices",
            Self::Keys => "keys",
            Self::Hooks => "hooks",
            Self::Account => "account",
        }
    }
}

/// Values for `layout.html`, the frame of pages for signed-in users.
#[derive(Clone)]
pub(super) struct Layout {
    /// Prefix of all link paths.
    pub(super) base: String,
    pub(super) title: String,
    pub(super) section: &'static str,
    pub(super) account_name: String,
    pub(super) user_email: Personal<String>,
    /// Form token.
    pub(super) csrf: String,
    pub(super) theme: &'static str,
    pub(super) notice: Option<NoticeText>,
}

/// Values for `plain.html`, the frame of pages without navigation.
#[derive(Debug, Clone)]
pub(super) struct PlainLayout {
    /// Prefix of all link paths.
    pub(super) base: String,
    pub(super) title: String,
    pub(super) theme: &'static str,
}

impl PlainLayout {
    pub(super) fn new(dashboard: &Dashboard, theme: Theme, title: &str) -> Self {
        Self { base: dashboard.public_url.path().to_owned(), title: title.to_owned(), theme: theme.as_str() }
    }
}

/// Renders a page as a response.
pub(super) fn html(status: StatusCode, page: &impl Template) -> Response {
    let text = page.render().expect("the template writes to a string");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

/// Returns a file to download. The file name must contain only letters, digits, hyphens and full stops, so that it cannot break out
/// of the header or of a folder.
pub(super) fn download(file_name: &str, media_type: &'static str, body: Body) -> Response {
    let disposition = format!("attachment; filename=\"{file_name}\"");
    let disposition = HeaderValue::try_from(disposition).expect("the name of a file is plain text");
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Returns the file with the given name.
pub(super) async fn asset(Path(name): Path<String>) -> Result {
    let (text, media_type) = match name.as_str() {
        "dashboard.css" => (include_str!("assets/dashboard.css"), "text/css; charset=utf-8"),
        "dashboard.js" => (include_str!("assets/dashboard.js"), "text/javascript; charset=utf-8"),
        "icons.svg" => (include_str!("assets/icons.svg"), "image/svg+xml"),
        _ => return Err(Failure::NotFound),
    };
    let mut response: Response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(CACHE_CONTROL, CACHING);
    Ok(response)
}
