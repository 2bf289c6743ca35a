//! Lead intake over HTTP: JSON or a form, from hosted pages or the website's own pages. Refusals are rendered in `form_pages`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use url::Url;

use super::body::{self, MAX_CAPTURE_BODY_BYTES};
use super::form_pages::{refusal, wants_page};
use super::generate::sentence;
use super::message_page::{Link, page};
use super::multipart;
use super::problem::{Code, Problem};
use super::response::{NO_STORE, json};
use super::route::{Api, path_id};
use crate::app::{App, LeadSubmission, Peer, parse_json};
use crate::domain::account::Website;

/// Encoding of a lead form.
#[derive(Debug, Clone, Copy)]
enum Encoding {
    Json,
    UrlEncoded,
    Multipart,
}

impl Encoding {
    fn of(headers: &HeaderMap) -> Option<Self> {
        match body::media_type(headers)?.as_str() {
            "application/json" => Some(Self::Json),
            "application/x-www-form-urlencoded" => Some(Self::UrlEncoded),
            "multipart/form-data" => Some(Self::Multipart),
            _ => None,
        }
    }
}

/// Handles a submitted lead.
pub(super) async fn capture_lead(
    State(api): State<Arc<Api>>,
    Extension(Peer(address)): Extension<Peer>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let website_id = path_id(&mut parts).await;
    let mut body = Some(body);
    let mut website = None;
    let outcome = receive_lead(&api, address, &website_id, &parts.headers, &mut body, &mut website).await;
    if let Some(body) = body {
        body::discard(&parts.headers, body).await;
    }
    let back = Link { path: format!("/sites/{website_id}"), text: "Back to the articles" };
    let mut response = match outcome {
        Ok(()) if wants_page(&parts.headers) => thanks_page(&api, back),
        Ok(()) => json(StatusCode::ACCEPTED, Bytes::from_static(br#"{"accepted":true}"#), NO_STORE),
        Err(problem) => refusal(&api, &parts.headers, problem),
    };
    allow_origin(&api, website.as_ref(), &parts.headers, &mut response);
    response
}

/// Handles the CORS preflight request of the website's own pages.
pub(super) async fn preflight(State(api): State<Arc<Api>>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let website_id = path_id(&mut parts).await;
    let website = match api.app.capture_website(&website_id).await {
        Ok(website) => website,
        Err(error) => return Problem::from(error).into_response(),
    };
    let mut response = StatusCode::NO_CONTENT.into_response();
    if allow_origin(&api, website.as_ref(), &parts.headers, &mut response) {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    response
}

/// Captures the lead after these checks in this order: rate, website, media type, size, JSON or form. Stores the website in
/// `website` for the cross-origin headers, which errors have too.
async fn receive_lead(
    api: &Api,
    address: std::net::IpAddr,
    website_id: &str,
    headers: &HeaderMap,
    body: &mut Option<Body>,
    website: &mut Option<Website>,
) -> Result<(), Problem> {
    api.quotas.charge_capture(address, api.app.clock()).await?;
    *website = api.app.capture_website(website_id).await?;
    let website = website.as_ref();
    let website = website.ok_or_else(|| Problem::new(Code::RouteNotFound, "There is no such website."))?;
    App::check_takes_leads(website)?;
    let encoding = Encoding::of(headers).ok_or_else(|| {
        Problem::new(
            Code::UnsupportedMediaType,
            "Send the lead as application/json or as a form, without Content-Encoding.",
        )
    })?;
    let sent = body.take().unwrap_or_default();
    let bytes = body::read(headers, sent, MAX_CAPTURE_BODY_BYTES, api.deadlines.body).await?;
    let submission = match encoding {
        Encoding::Json => {
            let value = parse_json(&bytes).map_err(|reason| Problem::new(Code::InvalidJson, sentence(reason)))?;
            if !value.is_object() {
                return Err(Problem::new(Code::InvalidJson, "The body is JSON, but not an object."));
            }
            LeadSubmission::from_json(value)
        }
        Encoding::UrlEncoded => LeadSubmission::from_form(url::form_urlencoded::parse(&bytes).into_owned()),
        Encoding::Multipart => multipart::read(headers, bytes).await?,
    };
    Ok(api.app.capture_lead(website, submission, &api.public_url).await?)
}

fn thanks_page(api: &Api, back: Link) -> Response {
    let lines = ["Your message is on its way to the people behind this website.".to_owned()];
    page(api, StatusCode::ACCEPTED, "Thank you", &lines, &[back])
}

/// Adds the cross-origin header for the website's own pages and for the server's; returns true if it did.
fn allow_origin(api: &Api, website: Option<&Website>, headers: &HeaderMap, response: &mut Response) -> bool {
    response.headers_mut().insert(VARY, HeaderValue::from_static("origin"));
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let website_origin =
        website.and_then(|website| Url::parse(&website.url).ok()).map(|url| url.origin().ascii_serialization());
    let is_allowed = website_origin.is_some_and(|allowed| origin == &*allowed) || origin == api.public_url.origin();
    if is_allowed {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    is_allowed
}
