//! The page behind the link that confirms a lead (double opt-in). Opening it changes nothing, because mail scanners open links
//! too; its button confirms.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use askama::Template;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, Request, State};
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY};
use http::{HeaderMap, HeaderValue};
use serde::Deserialize;

use super::body;
use super::capture::wants_page;
use super::problem::{Code, Problem};
use super::response::NO_STORE;
use super::route::Api;
use crate::app::{LinkState, Peer};
use crate::domain::account::Website;
use crate::domain::writing_direction::direction;

/// Content security policy: the page may submit only its own form.
const SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
);

/// Texts of the page in the supported languages. English, the first one, is also for all others.
static KNOWN: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let mut languages: BTreeMap<String, Vec<Words>> =
        toml::from_str(include_str!("../../assets/confirmation.toml")).expect("a test reads the texts");
    languages.remove("words").unwrap_or_default()
});

/// The texts in one language. Each pair is a title and the text below it.
#[derive(Debug, Deserialize)]
struct Words {
    /// Language of the texts (BCP 47).
    language: String,
    ask: (String, String),
    button: String,
    confirmed: (String, String),
    expired: (String, String),
    erased: (String, String),
    unknown: (String, String),
    /// The lead cannot be read or confirmed at the moment.
    later: (String, String),
}

/// Returns the texts for a website in this language (BCP 47).
fn words_of(language: &str) -> &'static Words {
    let primary = language.split('-').next().unwrap_or_default();
    KNOWN.iter().find(|words| words.language.eq_ignore_ascii_case(primary)).unwrap_or(&KNOWN[0])
}

#[derive(Template)]
#[template(path = "confirmation.html")]
struct ConfirmationPage<'a> {
    base: &'a str,
    words: &'a Words,
    direction: &'static str,
    website_name: &'a str,
    website_language: &'a str,
    title: &'a str,
    text: &'a str,
    /// True if the page shows the button that confirms.
    asks: bool,
}

/// Shows the page behind the link.
pub(super) async fn show_confirmation(
    State(api): State<Arc<Api>>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let (website_id, token) = website_and_token(path);
    let website = api.app.capture_website(&website_id).await.map_err(Problem::from);
    let state = match &website {
        Ok(Some(website)) => api.app.confirmation_link(website, &token).await.map_err(Problem::from),
        _ => Ok(LinkState::Unknown),
    };
    respond(&api, &headers, website, state)
}

/// Confirms the lead behind the link.
pub(super) async fn confirm_lead(
    State(api): State<Arc<Api>>,
    Extension(Peer(address)): Extension<Peer>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let (website_id, token) = website_and_token(path);
    let (parts, sent) = request.into_parts();
    // Ignore the body: the link identifies the lead.
    body::discard(&parts.headers, sent).await;
    let website = api.app.capture_website(&website_id).await.map_err(Problem::from);
    let state = async {
        api.quotas.charge_capture(address, api.app.clock()).await?;
        let Ok(Some(website)) = &website else { return Ok(LinkState::Unknown) };
        Ok(api.app.confirm_lead(website, &token).await?)
    };
    let state = state.await;
    respond(&api, &parts.headers, website, state)
}

/// Returns the website id and the token in the path. A path that is not UTF-8 gives empty ones, which do not exist.
fn website_and_token(path: Result<Path<(String, String)>, PathRejection>) -> (String, String) {
    path.map_or_else(|_| Default::default(), |Path(named)| named)
}

/// Returns the page in the language of the website, or in English if that is unknown. An error is a problem, unless the caller
/// asks for a page.
fn respond(
    api: &Api,
    request_headers: &HeaderMap,
    website: Result<Option<Website>, Problem>,
    state: Result<LinkState, Problem>,
) -> Response {
    let (website, state) = match website {
        Ok(website) => (website, state),
        Err(problem) => (None, Err(problem)),
    };
    let known = state.as_ref().ok().copied();
    let refusal = state.map_or_else(Some, problem_of);
    let mut response = match refusal {
        Some(problem) if !wants_page(request_headers) => problem.into_response(),
        refusal => {
            let mut response = page(api, website.as_ref(), known);
            if let Some(problem) = refusal {
                *response.status_mut() = problem.code().row().1;
                problem.add_headers(response.headers_mut());
            }
            response
        }
    };
    let headers: [(HeaderName, HeaderValue); 2] = [
        // The URL contains the secret token.
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Returns the problem of a link that cannot confirm a lead.
fn problem_of(state: LinkState) -> Option<Problem> {
    let (code, detail) = match state {
        LinkState::Pending | LinkState::Confirmed => return None,
        LinkState::Expired => (Code::ConfirmationExpired, "The link is older than 7 days. Fill in the form again."),
        LinkState::Erased => (Code::ConfirmationExpired, "The lead was erased."),
        LinkState::Unknown => (Code::RouteNotFound, "There is no such confirmation link."),
    };
    Some(Problem::new(code, detail))
}

/// Returns the page for a state; `None` if the state is unknown at the moment. The caller sets the status.
fn page(api: &Api, website: Option<&Website>, state: Option<LinkState>) -> Response {
    let words = words_of(website.map_or("en", |website| &website.language));
    let (title, text) = match state {
        Some(LinkState::Pending) => &words.ask,
        Some(LinkState::Confirmed) => &words.confirmed,
        Some(LinkState::Expired) => &words.expired,
        Some(LinkState::Erased) => &words.erased,
        Some(LinkState::Unknown) => &words.unknown,
        None => &words.later,
    };
    let view = ConfirmationPage {
        base: api.site_url.path(),
        words,
        direction: direction(&words.language),
        website_name: website.map_or("", |website| &website.name),
        website_language: website.map_or("", |website| &website.language),
        title,
        text,
        asks: state == Some(LinkState::Pending),
    };
    let mut response = Response::new(Body::from(view.render().expect("the template writes to a string")));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, NO_STORE);
    headers.insert(CONTENT_SECURITY_POLICY, SECURITY_POLICY);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_decides_without_its_region_and_english_stands_for_the_others() {
        for (language, expected) in
            [("de-AT", "de"), ("PT-br", "pt"), ("en", "en"), ("ja", "en"), ("deu", "en"), ("", "en")]
        {
            assert_eq!(words_of(language).language, expected, "{language}");
        }
    }
}
