//! Middleware for all dashboard requests: authenticates users, checks forms, renders error pages, and sets the headers of each
//! response.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN, REFERRER_POLICY, RETRY_AFTER,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt as _, Limited};

use super::layout::{PlainLayout, html};
use super::theme::Theme;
use super::visit::Session;
use super::{Dashboard, Failure, Form, session_cookie};
use crate::domain::error_chain::ErrorChain;
use crate::domain::public_url::PublicUrl;
use crate::domain::user::BearerToken;

/// Maximum size of a form, in bytes: enough for a Brand DNA profile with all its samples.
const MAX_FORM_BYTES: usize = 512 * 1024;
/// Maximum size of a form from a visitor who is not signed in, in bytes.
const MAX_OPEN_FORM_BYTES: usize = 8 * 1024;
/// Maximum time for a form to arrive.
const FORM_DEADLINE: Duration = Duration::from_secs(20);
/// Field with the form token.
pub(super) const CSRF_FIELD: &str = "csrf";

/// Returns a policy that allows scripts, styles and icons from this server, and previews on the hosted site.
fn security_policy(dashboard: &Dashboard) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src {}; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        dashboard.site_url.policy_source(&dashboard.public_url)
    );
    HeaderValue::from_str(&policy).expect("an origin is ASCII")
}

/// Sets the headers of every response, and renders failures as error pages.
pub(super) async fn headers(State(dashboard): State<Arc<Dashboard>>, request: Request, next: Next) -> Response {
    let theme = Theme::of(request.headers());
    let mut response = next.run(request).await;
    if let Some(failure) = response.extensions_mut().remove::<Failure>() {
        response = error_page(&dashboard, theme, &failure);
    }
    let fixed: [(HeaderName, HeaderValue); 4] = [
        (CONTENT_SECURITY_POLICY, security_policy(&dashboard)),
        // Forms are checked by their origin, which "no-referrer" would hide.
        (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("x-frame-options"), HeaderValue::from_static("DENY")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ];
    response.headers_mut().extend(fixed);
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[derive(Template)]
#[template(path = "dashboard/error_page.html")]
struct ErrorPage<'a> {
    layout: PlainLayout,
    text: &'a str,
}

/// Returns the error page for `failure`.
fn error_page(dashboard: &Dashboard, theme: Theme, failure: &Failure) -> Response {
    let (status, heading, text) = failure.page();
    let mut response = html(status, &ErrorPage { layout: PlainLayout::new(dashboard, theme, heading), text });
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("5"));
    }
    response
}

/// Accepts every visitor. A visitor without a cookie gets one, so that the sign-in forms have a form token.
pub(super) async fn anyone(State(dashboard): State<Arc<Dashboard>>, request: Request, next: Next) -> Response {
    let known = session_cookie::read(request.headers(), &dashboard.public_url);
    let token = known.clone().unwrap_or_else(|| BearerToken::generate(dashboard.app.randomness()));
    let mut request = match checked(request, &dashboard, &token, MAX_OPEN_FORM_BYTES).await {
        Ok(request) => request,
        Err(failure) => return failure.into_response(),
    };
    request.extensions_mut().insert(token.clone());
    let mut response = next.run(request).await;
    if known.is_none() {
        session_cookie::set_unless_set(&mut response, &token, &dashboard.public_url);
    }
    response
}

/// Accepts signed-in users, and redirects other visitors to the sign-in page.
pub(super) async fn signed_in(State(dashboard): State<Arc<Dashboard>>, request: Request, next: Next) -> Response {
    let Some(token) = session_cookie::read(request.headers(), &dashboard.public_url) else {
        return to_sign_in(&dashboard, &request);
    };
    let who = match dashboard.app.signed_in(&token).await {
        Ok(Some(who)) => who,
        Ok(None) => return to_sign_in(&dashboard, &request),
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "cannot read the session of a request");
            return Failure::Unavailable.into_response();
        }
    };
    let mut request = match checked(request, &dashboard, &token, MAX_FORM_BYTES).await {
        Ok(request) => request,
        Err(failure) => return failure.into_response(),
    };
    request.extensions_mut().insert(Session { who, csrf: token.csrf_token() });
    next.run(request).await
}

/// Redirects to the sign-in page, with the requested page as the next one.
fn to_sign_in(dashboard: &Dashboard, request: &Request) -> Response {
    let wanted = request.uri().path_and_query().map_or("/dashboard", http::uri::PathAndQuery::as_str);
    let wanted = if request.method() == Method::POST { "/dashboard" } else { wanted };
    let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("next", wanted).finish();
    Redirect::to(&dashboard.public_url.reference(&format!("/dashboard/sign-in?{query}"))).into_response()
}

/// Checks a request: a form must come from a page of this dashboard, with the form token that belongs to `token`.
async fn checked(
    request: Request,
    dashboard: &Dashboard,
    token: &BearerToken,
    most_bytes: usize,
) -> Result<Request, Failure> {
    if request.method() == Method::GET || request.method() == Method::HEAD {
        return Ok(request);
    }
    let (mut parts, body) = request.into_parts();
    // Check the headers before reading the body.
    if !is_form(&parts.headers) || !is_same_origin(&parts.headers, &dashboard.public_url) {
        return Err(Failure::StaleForm);
    }
    let form = Form::parse(&read(body, most_bytes).await?).ok_or(Failure::FormTooLarge)?;
    if !token.accepts_csrf_token(form.text(CSRF_FIELD)) {
        return Err(Failure::StaleForm);
    }
    parts.extensions.insert(form);
    Ok(Request::from_parts(parts, Body::empty()))
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).map(|value| value.as_bytes().to_ascii_lowercase());
    content_type.is_some_and(|value| value.starts_with(b"application/x-www-form-urlencoded"))
}

async fn read(body: Body, most_bytes: usize) -> Result<Bytes, Failure> {
    match tokio::time::timeout(FORM_DEADLINE, Limited::new(body, most_bytes).collect()).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(_)) => Err(Failure::FormTooLarge),
        Err(_) => Err(Failure::FormTooSlow),
    }
}

/// Returns true if the form comes from a page of this server, or if the browser does not say. `Sec-Fetch-Site` takes precedence: it
/// works even if a proxy changes the host and no public address is configured.
fn is_same_origin(headers: &HeaderMap, public_url: &PublicUrl) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    origin == public_url.origin() || origin.split_once("://").is_some_and(|(_, authority)| authority == host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_cannot_be_read_is_not_this_one() {
        let url: PublicUrl = "https://example.com".parse().unwrap();
        for (origin, expected) in [
            (&b"https://example.com"[..], true),
            (b"https://other.example", false),
            (b"https://ex\xe4mple.com", false),
            (b"null", false),
        ] {
            let headers = HeaderMap::from_iter([(ORIGIN, HeaderValue::from_bytes(origin).unwrap())]);
            assert_eq!(is_same_origin(&headers, &url), expected, "{origin:?}");
        }
        assert!(is_same_origin(&HeaderMap::new(), &url));
    }
}
