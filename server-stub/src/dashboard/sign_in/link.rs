//! Signing in with a one-time link. Opening it changes nothing, since programs that look through mail open links, too; a button does.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use http::{HeaderMap, StatusCode};

use super::super::Dashboard;
use super::super::error::Result;
use super::super::frame::{PlainFrame, html};
use super::super::theme::Theme;
use super::form::{visitor, welcome};
use crate::app::Peer;
use crate::app::SignInError;
use crate::domain::personal::Personal;
use crate::domain::user::BearerToken;

#[derive(Template)]
#[template(path = "dashboard/sign_in/link.html")]
struct LinkPage<'a> {
    frame: PlainFrame,
    csrf: String,
    link: &'a str,
    /// Who signs in by it; `None` when it is not valid.
    email: Option<Personal<String>>,
    error: String,
}

/// Asks for the click.
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
    let frame = PlainFrame::new(&dashboard, Theme::of(&headers), "Sign in");
    let email = user.map(|user| user.email);
    Ok(html(status, &LinkPage { frame, csrf: token.csrf_token(), link: &link, email, error }))
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
        Some(link) => dashboard.app.sign_in_by_link(&link, &visitor(peer, &headers)).await,
        None => Err(SignInError::LinkInvalid),
    };
    let error = match outcome {
        Ok(session) => return Ok(welcome(&dashboard, &session, "")),
        Err(SignInError::Store(error)) => return Err(error.into()),
        Err(error) => error,
    };
    let status =
        if matches!(error, SignInError::Locked(_)) { StatusCode::TOO_MANY_REQUESTS } else { StatusCode::NOT_FOUND };
    let frame = PlainFrame::new(&dashboard, Theme::of(&headers), "Sign in");
    Ok(html(status, &LinkPage { frame, csrf: token.csrf_token(), link: "", email: None, error: error.to_string() }))
}
