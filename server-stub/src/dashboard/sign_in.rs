//! Signing in by password or by a one-time link, and signing out.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::USER_AGENT;
use http::{HeaderMap, StatusCode};

use super::layout::{PlainLayout, html};
use super::theme::Theme;
use super::{Dashboard, DisplayTime, Failure, Form, Notice, Result, Visit, session_cookie};
use crate::app::{NewSession, Peer, SignInError, Visitor};
use crate::domain::personal::Personal;
use crate::domain::user::BearerToken;

#[derive(Template)]
#[template(path = "dashboard/sign_in/form.html")]
struct SignInPage<'a> {
    layout: PlainLayout,
    csrf: String,
    /// Page to open after sign-in.
    next: &'a str,
    email: &'a str,
    error: String,
    locked_until: Option<DisplayTime>,
}

/// Shows the form. Redirects signed-in users to the dashboard.
pub(super) async fn show(
    State(dashboard): State<Arc<Dashboard>>,
    Extension(token): Extension<BearerToken>,
    headers: HeaderMap,
    query: Form,
) -> Result {
    if dashboard.app.signed_in(&token).await?.is_some() {
        return Ok(Redirect::to(&dashboard.public_url.reference("/dashboard")).into_response());
    }
    let layout = PlainLayout::new(&dashboard, Theme::of(&headers), "Sign in");
    let next = query.text("next");
    let page =
        SignInPage { layout, csrf: token.csrf_token(), next, email: "", error: String::new(), locked_until: None };
    Ok(html(StatusCode::OK, &page))
}

/// Opens a session, or shows the form again.
pub(super) async fn submit(
    State(dashboard): State<Arc<Dashboard>>,
    Extension(token): Extension<BearerToken>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    form: Form,
) -> Result {
    let email = form.text("email");
    let outcome = dashboard.app.sign_in(email, form.secret("password"), &visitor(peer, &headers, token.clone())).await;
    let error = match outcome {
        Ok(session) => return Ok(welcome(&dashboard, &session, form.text("next"))),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(SignInError::Busy(_)) => return Err(Failure::Busy),
        Err(error) => error,
    };
    let (status, locked_until) = match error {
        SignInError::Locked(until) => (StatusCode::TOO_MANY_REQUESTS, Some(until.into())),
        _ => (StatusCode::UNPROCESSABLE_ENTITY, None),
    };
    let layout = PlainLayout::new(&dashboard, Theme::of(&headers), "Sign in");
    let (csrf, next) = (token.csrf_token(), form.text("next"));
    Ok(html(status, &SignInPage { layout, csrf, next, email, error: error.to_string(), locked_until }))
}

/// Describes the visitor who wants to sign in.
fn visitor(peer: Peer, headers: &HeaderMap, token: BearerToken) -> Visitor {
    let browser = headers.get(USER_AGENT).and_then(|browser| browser.to_str().ok()).unwrap_or_default();
    Visitor { peer, browser: browser.to_owned().into(), token }
}

/// Sets the session cookie, and redirects to the requested page.
fn welcome(dashboard: &Dashboard, session: &NewSession, next: &str) -> Response {
    let path = if is_page_of_dashboard(next) { next } else { "/dashboard" };
    let notice = Some(Notice::SignedInWithoutPassword).filter(|_| !session.has_password && path == "/dashboard");
    let query = notice.map(|notice| format!("?{}", notice.query(None))).unwrap_or_default();
    let mut response = Redirect::to(&format!("{}{path}{query}", dashboard.public_url.path())).into_response();
    session_cookie::set(&mut response, &session.token, &dashboard.public_url);
    response
}

/// Returns true if an address from a query leads to a page of this dashboard. Other addresses could lead to another site.
fn is_page_of_dashboard(path: &str) -> bool {
    let is_below = path == "/dashboard" || path.starts_with("/dashboard/") || path.starts_with("/dashboard?");
    is_below && !path.contains('\\') && !path.contains("//") && !path.contains(char::is_control)
}

#[derive(Template)]
#[template(path = "dashboard/sign_in/link.html")]
struct LinkPage<'a> {
    layout: PlainLayout,
    csrf: String,
    link: &'a str,
    /// E-mail address of the link's user; `None` if the link is not valid.
    email: Option<Personal<String>>,
    error: String,
}

/// Shows the page with a button. Opening the link changes nothing, because mail scanners open links too.
pub(super) async fn show_link(
    State(dashboard): State<Arc<Dashboard>>,
    Extension(token): Extension<BearerToken>,
    headers: HeaderMap,
    Path(link): Path<String>,
) -> Result {
    let found = match BearerToken::parse(&link) {
        Some(link) => dashboard.app.sign_in_link(&link).await?,
        None => None,
    };
    let status = if found.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let error = if found.is_some() { String::new() } else { SignInError::LinkInvalid.to_string() };
    let layout = PlainLayout::new(&dashboard, Theme::of(&headers), "Sign in");
    let email = found.map(|found| found.user.email);
    Ok(html(status, &LinkPage { layout, csrf: token.csrf_token(), link: &link, email, error }))
}

/// Opens a session.
pub(super) async fn submit_link(
    State(dashboard): State<Arc<Dashboard>>,
    Extension(token): Extension<BearerToken>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    Path(link): Path<String>,
) -> Result {
    let outcome = match BearerToken::parse(&link) {
        Some(link) => dashboard.app.sign_in_by_link(&link, &visitor(peer, &headers, token.clone())).await,
        None => Err(SignInError::LinkInvalid),
    };
    let error = match outcome {
        Ok(session) => return Ok(welcome(&dashboard, &session, "")),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(error) => error,
    };
    let layout = PlainLayout::new(&dashboard, Theme::of(&headers), "Sign in");
    let (csrf, error) = (token.csrf_token(), error.to_string());
    Ok(html(StatusCode::NOT_FOUND, &LinkPage { layout, csrf, link: "", email: None, error }))
}

/// Ends the current session.
pub(super) async fn sign_out(visit: Visit) -> Result {
    visit.app().sign_out(visit.who()).await?;
    Ok(visit.to_sign_in())
}
