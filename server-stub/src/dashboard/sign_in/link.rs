//! Sign-in with a one-time link. Opening the link changes nothing, because mail scanners open links too. The user must press a
//! button.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use http::{HeaderMap, StatusCode};

use super::super::Dashboard;
use super::super::error::Result;
use super::super::layout::{PlainLayout, html};
use super::super::theme::Theme;
use super::form::{visitor, welcome};
use crate::app::Peer;
use crate::app::SignInError;
use crate::domain::personal::Personal;
use crate::domain::user::BearerToken;

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

/// Shows the page with the button.
pub(in crate::dashboard) async fn show(
    State(dashboard): State<Arc<Dashboard>>,
    Extension(token): Extension<BearerToken>,
    headers: HeaderMap,
    Path(link): Path<String>,
) -> Result {
    let user = match BearerToken::parse(&link) {
        Some(link) => dashboard.app.user_of_link(&link).await?,
        None => None,
    };
    let status = if user.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let error = if user.is_some() { String::new() } else { SignInError::LinkInvalid.to_string() };
    let layout = PlainLayout::new(&dashboard, Theme::of(&headers), "Sign in");
    let email = user.map(|user| user.email);
    Ok(html(status, &LinkPage { layout, csrf: token.csrf_token(), link: &link, email, error }))
}

/// Opens a session.
pub(in crate::dashboard) async fn submit(
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
