//! Cookie with the session token (RFC 6265). `app` decides whether a token is valid.

use axum::response::Response;
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};

use crate::domain::public_url::PublicUrl;
use crate::domain::user::{BearerToken, SESSION_LIFETIME};

/// Cookie name for https. Because of the prefix, browsers accept the cookie only from the host itself, over https, and for all
/// paths.
const SECURE_NAME: &str = "__Host-contentgen_session";
/// Cookie name for plain http, such as on a developer's machine.
const PLAIN_NAME: &str = "contentgen_session";

fn is_secure(public_url: &PublicUrl) -> bool {
    public_url.origin().starts_with("https://")
}

fn name(public_url: &PublicUrl) -> &'static str {
    if is_secure(public_url) { SECURE_NAME } else { PLAIN_NAME }
}

/// Returns the value of a cookie.
pub(super) fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// Returns the token that the browser sent.
pub(super) fn read(headers: &HeaderMap, public_url: &PublicUrl) -> Option<BearerToken> {
    BearerToken::parse(value(headers, name(public_url))?)
}

/// Sets the token cookie. Scripts cannot read it.
pub(super) fn set(response: &mut Response, token: &BearerToken, public_url: &PublicUrl) {
    let secure = if is_secure(public_url) { "; Secure" } else { "" };
    let seconds = SESSION_LIFETIME.as_secs();
    let cookie =
        format!("{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}", name(public_url), token.reveal());
    response.headers_mut().append(SET_COOKIE, header(&cookie));
}

/// Sets the token cookie unless the response already sets one.
pub(super) fn set_unless_set(response: &mut Response, token: &BearerToken, public_url: &PublicUrl) {
    let name = name(public_url);
    let is_set =
        response.headers().get_all(SET_COOKIE).iter().any(|cookie| cookie.as_bytes().starts_with(name.as_bytes()));
    if !is_set {
        set(response, token, public_url);
    }
}

/// Deletes the token cookie.
pub(super) fn clear(response: &mut Response, public_url: &PublicUrl) {
    let secure = if is_secure(public_url) { "; Secure" } else { "" };
    let cookie = format!("{}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{secure}", name(public_url));
    response.headers_mut().append(SET_COOKIE, header(&cookie));
}

fn header(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("base64url and fixed texts are a header's value")
}
