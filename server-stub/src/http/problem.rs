//! Problems (RFC 9457): the table of codes, and the only mapping of errors to status codes. `outer_layer` renders the
//! body, because it has the request's id and path.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;

use crate::app::{Error, FieldCode, FieldError, Place};
use crate::domain::error_chain::ErrorChain;

/// Defines the problem codes: the name in the API, the status and the title of each.
macro_rules! codes {
    ($($code:ident = $name:literal, $status:ident, $title:literal;)*) => {
        /// A problem code (`x-problem-codes` in the document).
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the document describes each code under x-problem-codes, and a test compares the two")]
        pub enum Code { $($code,)* }

        impl Code {
            /// All codes.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$code),*];

            /// Returns the code in the API, the status and the title.
            pub const fn row(self) -> (&'static str, StatusCode, &'static str) {
                match self { $(Self::$code => ($name, StatusCode::$status, $title),)* }
            }
        }
    };
}

codes! {
    InvalidJson = "invalid_json", BAD_REQUEST, "Invalid JSON";
    InvalidHeader = "invalid_header", BAD_REQUEST, "Invalid header";
    InvalidPageToken = "invalid_page_token", BAD_REQUEST, "Invalid page token";
    MissingCredentials = "missing_credentials", UNAUTHORIZED, "Missing credentials";
    InvalidCredentials = "invalid_credentials", UNAUTHORIZED, "Invalid credentials";
    InsufficientScope = "insufficient_scope", FORBIDDEN, "Insufficient scope";
    WebsiteInactive = "website_inactive", FORBIDDEN, "Website inactive";
    RouteNotFound = "route_not_found", NOT_FOUND, "Route not found";
    ArticleNotFound = "article_not_found", NOT_FOUND, "Article not found";
    JobNotFound = "job_not_found", NOT_FOUND, "Job not found";
    LeadNotFound = "lead_not_found", NOT_FOUND, "Lead not found";
    ScheduledPostNotFound = "scheduled_post_not_found", NOT_FOUND, "Scheduled post not found";
    ArticleNotReady = "article_not_ready", NOT_FOUND, "Article not ready";
    GenerationFailed = "generation_failed", NOT_FOUND, "Generation failed";
    GenerationCancelled = "generation_cancelled", NOT_FOUND, "Generation cancelled";
    MethodNotAllowed = "method_not_allowed", METHOD_NOT_ALLOWED, "Method not allowed";
    RequestTimeout = "request_timeout", REQUEST_TIMEOUT, "Request timeout";
    IdempotencyInFlight = "idempotency_in_flight", CONFLICT, "Idempotent request in flight";
    JobNotCancellable = "job_not_cancellable", CONFLICT, "Job not cancellable";
    ConfirmationExpired = "confirmation_expired", GONE, "Confirmation link expired";
    PayloadTooLarge = "payload_too_large", PAYLOAD_TOO_LARGE, "Payload too large";
    UnsupportedMediaType = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "Unsupported media type";
    ValidationFailed = "validation_failed", UNPROCESSABLE_ENTITY, "Validation failed";
    WebsiteNotFound = "website_not_found", UNPROCESSABLE_ENTITY, "Website not found";
    IdempotencyMismatch = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "Idempotency key reused";
    RateLimited = "rate_limited", TOO_MANY_REQUESTS, "Quota exceeded";
    QueueFull = "queue_full", TOO_MANY_REQUESTS, "Queue full";
    HeadersTooLarge = "headers_too_large", REQUEST_HEADER_FIELDS_TOO_LARGE, "Headers too large";
    InternalError = "internal_error", INTERNAL_SERVER_ERROR, "Internal error";
    Unavailable = "unavailable", SERVICE_UNAVAILABLE, "Unavailable";
}

impl Code {
    /// Returns the code with that name in the API.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.row().0 == name)
    }

    /// Returns the URI of the problem type. Exceeded quotas have the one of draft-ietf-httpapi-ratelimit-headers.
    pub fn type_uri(self) -> Cow<'static, str> {
        match self {
            Self::RateLimited => Cow::Borrowed("https://iana.org/assignments/http-problem-types#quota-exceeded"),
            other => Cow::Owned(format!("urn:problem-type:content-generation:{}", other.row().0)),
        }
    }
}

/// One occurrence of a problem.
#[derive(Clone)]
pub(super) struct Problem {
    code: Code,
    detail: Cow<'static, str>,
    errors: Vec<FieldError>,
    violated: Option<&'static str>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

#[derive(Serialize)]
struct ErrorItem<'a> {
    detail: &'a str,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<&'a str>,
}

#[derive(Serialize)]
struct Document<'a> {
    r#type: &'a str,
    title: &'static str,
    status: u16,
    detail: &'a str,
    instance: &'a str,
    code: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ErrorItem<'a>>,
    #[serde(rename = "violated-policies", skip_serializing_if = "Option::is_none")]
    violated: Option<[&'static str; 1]>,
}

impl Problem {
    pub(super) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { code, detail: detail.into(), errors: Vec::new(), violated: None, headers: Vec::new() }
    }

    pub(super) const fn code(&self) -> Code {
        self.code
    }

    pub(super) fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the errors of the request, each with its place.
    pub(super) fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    pub(super) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Adds `Retry-After`, at least one second.
    pub(super) fn retry_after(self, seconds: u32) -> Self {
        self.with_header(RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }

    /// Returns the problem of a path that does not support the method.
    pub(super) fn method_not_allowed(allowed: &'static str) -> Self {
        Self::new(Code::MethodNotAllowed, format!("This path supports only {allowed}."))
            .with_header(ALLOW, HeaderValue::from_static(allowed))
    }

    /// Returns the problem of an exceeded quota, with `seconds` in `Retry-After`.
    pub(super) fn rate_limited(policy: &'static str, seconds: u32) -> Self {
        let detail = format!("The quota `{policy}` is used up. Wait for the seconds in Retry-After.");
        Self { violated: Some(policy), ..Self::new(Code::RateLimited, detail).retry_after(seconds) }
    }

    /// Returns the problem of a malformed header.
    pub(super) fn invalid_header(header: &'static str, detail: &'static str) -> Self {
        let error =
            FieldError { code: FieldCode::InvalidFormat, place: Place::Header(header), detail: detail.to_owned() };
        Self { errors: vec![error], ..Self::new(Code::InvalidHeader, format!("The header {header} is invalid.")) }
    }

    /// Writes status, headers and body of the response to the request `request_id` for `path`.
    pub(super) fn render(self, response: &mut Response, path: &str, request_id: &str) {
        let (code, status, title) = self.code.row();
        let type_uri = self.code.type_uri();
        let errors = self.errors.iter().map(error_item).collect();
        let document = Document {
            r#type: &type_uri,
            title,
            status: status.as_u16(),
            detail: &self.detail,
            instance: path,
            code,
            request_id,
            errors,
            violated: self.violated.map(|policy| [policy]),
        };
        let body = serde_json::to_vec(&document).expect("strings and numbers always serialize");
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        self.add_headers(headers);
        *response.body_mut() = body.into();
    }

    /// Adds the headers that belong to this problem, whatever form its body has.
    pub(super) fn add_headers(self, headers: &mut HeaderMap) {
        // They replace existing headers: the router writes its own `Allow`.
        headers.extend(self.headers.into_iter().map(|(name, value)| (Some(name), value)));
    }
}

fn error_item(error: &FieldError) -> ErrorItem<'_> {
    let mut error_item =
        ErrorItem { detail: &error.detail, code: error.code.as_str(), pointer: None, parameter: None, header: None };
    match &error.place {
        Place::Pointer(pointer) => error_item.pointer = Some(pointer),
        Place::Parameter(parameter) => error_item.parameter = Some(parameter),
        Place::Header(header) => error_item.header = Some(header),
    }
    error_item
}

/// Turns a fragment into a sentence.
pub(super) fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).chain(['.']).collect()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.row().1.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::InvalidCredentials => Self::new(Code::InvalidCredentials, "The platform key is not valid.")
                .with_header(
                    WWW_AUTHENTICATE,
                    HeaderValue::from_static(r#"Bearer realm="content-generation", error="invalid_token""#),
                ),
            Error::InsufficientScope(scope) => {
                let scope = scope.as_str();
                let challenge =
                    format!(r#"Bearer realm="content-generation", error="insufficient_scope", scope="{scope}""#);
                let challenge = HeaderValue::from_str(&challenge).expect("scopes are ASCII");
                Self::new(Code::InsufficientScope, format!("The key needs the scope {scope}."))
                    .with_header(WWW_AUTHENTICATE, challenge)
            }
            Error::InvalidPageToken => Self {
                errors: vec![FieldError {
                    code: FieldCode::InvalidFormat,
                    place: Place::Parameter("page_token".to_owned()),
                    detail: "must be the next_page of this list with the same filters".to_owned(),
                }],
                ..Self::new(
                    Code::InvalidPageToken,
                    "The page token is unknown, expired, or has other filters. Start again without it.",
                )
            },
            Error::Validation(violations) => {
                let detail = match (violations.listed().len(), violations.has_more()) {
                    (1, false) => "The request has 1 error.".to_owned(),
                    (count, false) => format!("The request has {count} errors."),
                    (count, true) => format!("The request has more than {count} errors. The first {count} are listed."),
                };
                Self { errors: violations.into_listed(), ..Self::new(Code::ValidationFailed, detail) }
            }
            Error::IdempotencyMismatch => {
                Self::new(Code::IdempotencyMismatch, "The idempotency key was used before with another body.")
            }
            Error::WebsiteNotFound => Self {
                errors: vec![FieldError {
                    code: FieldCode::NotFound,
                    place: Place::Pointer("#/website_id".to_owned().into()),
                    detail: "must be a website that the key may use".to_owned(),
                }],
                ..Self::new(Code::WebsiteNotFound, "There is no such website.")
            },
            Error::WebsiteInactive => {
                Self::new(Code::WebsiteInactive, "The website is paused or archived. Activate it in the dashboard.")
            }
            Error::NoSuchPage => Self::new(Code::RouteNotFound, "There is nothing at this path."),
            Error::ArticleNotFound => Self::new(Code::ArticleNotFound, "There is no such article."),
            Error::JobNotFound => Self::new(Code::JobNotFound, "There is no such job."),
            Error::LeadNotFound => Self::new(Code::LeadNotFound, "There is no such lead."),
            Error::ScheduledPostNotFound => Self::new(Code::ScheduledPostNotFound, "There is no such scheduled post."),
            Error::ArticleNotReady => {
                Self::new(Code::ArticleNotReady, "The job has not ended yet. Wait for the seconds in Retry-After.")
                    .retry_after(1)
            }
            Error::GenerationFailed => {
                Self::new(Code::GenerationFailed, "The job failed, so it has no article. Read the job for the reason.")
            }
            Error::GenerationCancelled => {
                Self::new(Code::GenerationCancelled, "The job was cancelled, so it has no article.")
            }
            Error::JobNotCancellable(status) => {
                Self::new(Code::JobNotCancellable, format!("The job has already {}.", status.as_str()))
            }
            Error::QueueFull => {
                Self::new(Code::QueueFull, "Too many jobs have not ended. Wait until some have.").retry_after(5)
            }
            Error::DayFull(seconds) => Self::rate_limited("articles", seconds),
            Error::Unavailable(source) => {
                tracing::warn!(error = %ErrorChain(&source), "cannot handle a request for now");
                Self::new(
                    Code::Unavailable,
                    "The service is temporarily unavailable. Wait for the seconds in Retry-After.",
                )
                .retry_after(5)
            }
            Error::Store(source) => {
                tracing::error!(error = %ErrorChain(&source), "cannot handle a request");
                Self::new(Code::InternalError, "The service failed. Quote the request id when you report it.")
            }
        }
    }
}
