//! Lead intake over HTTP: JSON or a form, from hosted pages or the website's own pages. The response is a page for a browser
//! that sends the form without a script, and JSON for other callers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_MAX_AGE, CONTENT_TYPE, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use multer::{Field, Multipart};

use super::body::{self, MAX_CAPTURE_BODY_BYTES};
use super::pages::{Link, page};
use super::problem::{Code, Problem, sentence};
use super::response::{NO_STORE, json};
use super::route::{Api, path_id};
use crate::app::{App, FieldError, LeadSubmission, Peer, Place};
use crate::domain::account::Website;
use crate::domain::lead_form::is_own_origin;

/// Maximum number of parts of a form (`capture_parts` under `x-limits`).
const MAX_PARTS: usize = 100;
/// Media type of pages.
const PAGE: &[u8] = b"text/html";

/// Names with their texts, and names of fields with a file.
type Fields = (Vec<(String, String)>, Vec<String>);

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
        Encoding::Json => LeadSubmission::from_json(body::json_object(&bytes)?),
        Encoding::UrlEncoded => LeadSubmission::from_form(url::form_urlencoded::parse(&bytes).into_owned()),
        Encoding::Multipart => read_multipart(headers, bytes).await?,
    };
    Ok(api.app.capture_lead(website, submission, &api.site_url).await?)
}

fn thanks_page(api: &Api, back: Link) -> Response {
    let lines = ["Your message is on its way to the people behind this website.".to_owned()];
    page(&api.site_url, StatusCode::ACCEPTED, "Thank you", &lines, &[back])
}

/// Adds the cross-origin header for the website's own pages and for the server's; returns true if it did.
fn allow_origin(api: &Api, website: Option<&Website>, headers: &HeaderMap, response: &mut Response) -> bool {
    response.headers_mut().insert(VARY, HeaderValue::from_static("origin"));
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let is_own = |website: &Website| origin.to_str().is_ok_and(|origin| is_own_origin(&website.url, origin));
    let is_ours = [&api.public_url, &api.site_url].iter().any(|url| origin == url.origin());
    let is_allowed = website.is_some_and(is_own) || is_ours;
    if is_allowed {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    is_allowed
}

/// Returns the lead in a `multipart/form-data` body (RFC 7578); the caller has checked its size. Ignores parts beyond the
/// limit.
async fn read_multipart(headers: &HeaderMap, body: Bytes) -> Result<LeadSubmission, Problem> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(content_type)
        .map_err(|_| Problem::invalid_header("Content-Type", "must name the boundary of the parts"))?;
    let whole = futures::stream::iter([Ok::<_, Infallible>(body)]);
    let mut parts = Multipart::new(whole, boundary);
    let mut fields = Fields::default();
    let (mut count, mut has_more) = (0, false);
    while let Some(part) = parts.next_field().await.map_err(|_| malformed())? {
        has_more = count == MAX_PARTS;
        if has_more {
            break;
        }
        read_part(part, &mut fields).await?;
        count += 1;
    }
    let (texts, files) = fields;
    let lead = LeadSubmission::from_form(texts).with_files(files);
    Ok(if has_more { lead.with_too_many_parts(MAX_PARTS) } else { lead })
}

async fn read_part(part: Field<'_>, (texts, files): &mut Fields) -> Result<(), Problem> {
    let name = part.name().ok_or_else(malformed)?.to_owned();
    if part.file_name().is_none() {
        texts.push((name, part.text().await.map_err(|_| malformed())?));
    } else if !part.bytes().await.map_err(|_| malformed())?.is_empty() {
        files.push(name);
    }
    Ok(())
}

fn malformed() -> Problem {
    Problem::new(Code::InvalidHeader, "The body is not a form with the boundary that Content-Type names.")
}

/// Returns true if the caller asks for a page. Scripts and programs ask for JSON or for anything.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get_all(ACCEPT)
        .iter()
        .any(|value| value.as_bytes().windows(PAGE.len()).any(|window| window.eq_ignore_ascii_case(PAGE)))
}

/// Returns the problem as a page or as JSON, as the caller asks, with its headers, such as `Retry-After`.
pub(super) fn refusal(api: &Api, headers: &HeaderMap, problem: Problem) -> Response {
    if !wants_page(headers) {
        return problem.into_response();
    }
    let (_, status, mut title) = problem.code().row();
    let mut lines = vec!["Your message was not sent. Go back, check what you entered, and try again.".to_owned()];
    match problem.errors() {
        [] if problem.code() == Code::WebsiteInactive => {
            title = "This form is closed";
            lines = vec!["Your message was not sent. The website takes no messages at the moment.".to_owned()];
        }
        [] => lines.push(problem.detail().to_owned()),
        errors => lines.extend(errors.iter().map(described)),
    }
    let mut response = page(&api.site_url, status, title, &lines, &[]);
    problem.add_headers(response.headers_mut());
    response
}

/// Describes an error as a sentence with the name of the field in a form.
fn described(error: &FieldError) -> String {
    match &error.place {
        Place::Pointer(pointer) => {
            let name = form_name(pointer.trim_start_matches(['#', '/']));
            if name.is_empty() { sentence(&error.detail) } else { format!("{name}: {}.", error.detail) }
        }
        Place::Parameter(_) | Place::Header(_) => sentence(&error.detail),
    }
}

/// Returns the name in a form of the JSON field at `path`: `fields/size` is `size`, `source/utm/term` is `utm_term`.
fn form_name(path: &str) -> String {
    match path.split_once('/') {
        Some(("consent", "text")) => "consent_text".to_owned(),
        Some(("fields", name)) => name.to_owned(),
        Some(("source", name)) => name.replacen("utm/", "utm_", 1),
        _ => path.split('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_a_field_as_the_form_does() {
        let names = [
            ("email", "email"),
            ("consent/given", "consent"),
            ("consent/text", "consent_text"),
            ("fields/size", "size"),
            ("source/page_url", "page_url"),
            ("source/utm/term", "utm_term"),
            ("", ""),
        ];
        for (path, name) in names {
            assert_eq!(form_name(path), name, "{path}");
        }
    }
}
