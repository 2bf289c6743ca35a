//! Errors that replace a page. `form` has the errors of single fields, which are shown beside the field instead.

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::app::{self, AdminError, PipelineError};
use crate::domain::error_chain::ErrorChain;
use crate::domain::store;

/// Result of a handler.
pub(super) type Result<T = Response, E = Failure> = std::result::Result<T, E>;

/// Why a page cannot be shown or a form cannot be processed.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// The address does not exist, or it belongs to another account.
    NotFound,
    /// The page token is invalid, expired or belongs to another list.
    NoSuchListPage,
    /// The address exists, but does not accept this method.
    WrongMethod,
    /// The form comes from another site or from an earlier session.
    StaleForm,
    /// The form is too large.
    FormTooLarge,
    /// The form did not arrive in time.
    FormTooSlow,
    /// The request cannot be processed now. The text gives the reason and a remedy.
    Refused(String),
    /// Too many requests of this kind are waiting.
    Busy,
    /// The database cannot be reached.
    Unavailable,
    /// A bug, or a broken database.
    Internal,
}

impl Failure {
    /// Returns the status, heading and text of the error page.
    pub(super) fn page(&self) -> (StatusCode, &'static str, &str) {
        match self {
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "Page not found",
                "It was removed, or the address is wrong. Check the address, or begin at the overview.",
            ),
            Self::NoSuchListPage => (
                StatusCode::NOT_FOUND,
                "This page of the list is gone",
                "Links to the pages of a list work for two days. Open the list again and start with its first page.",
            ),
            Self::WrongMethod => (
                StatusCode::METHOD_NOT_ALLOWED,
                "This request is not supported",
                "The address exists, but not for this kind of request. Go back and use the link or the button there.",
            ),
            Self::StaleForm => (
                StatusCode::FORBIDDEN,
                "This form is out of date",
                "It was opened before you signed in again, or by another site. Go back, reload the page and send the form again.",
            ),
            Self::FormTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "The form is too large",
                "A form can have 512 KiB and 2000 fields, the sign-in form 8 KiB. Nothing was changed. Go back and shorten your text.",
            ),
            Self::FormTooSlow => (
                StatusCode::REQUEST_TIMEOUT,
                "The form did not arrive",
                "The connection was too slow. Nothing was changed. Go back and send the form again.",
            ),
            Self::Refused(text) => (StatusCode::CONFLICT, "This is not possible now", text),
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Too busy just now",
                "Too many requests of this kind are waiting. Nothing was changed. Go back and send the form again in a few seconds.",
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Not available just now",
                "The database does not respond. Nothing was changed. Try again in a moment.",
            ),
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Something went wrong",
                "The server failed, and its log has the reason. Try again in a moment.",
            ),
        }
    }
}

impl IntoResponse for Failure {
    /// Returns a response without a body. `guard` replaces it by the error page.
    fn into_response(self) -> Response {
        let mut response = self.page().0.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        tracing::error!(error = %ErrorChain(&error), "cannot show a page of the dashboard");
        match error {
            store::Error::Unavailable(_) => Self::Unavailable,
            _ => Self::Internal,
        }
    }
}

impl From<AdminError> for Failure {
    fn from(error: AdminError) -> Self {
        match error {
            AdminError::AccountNotFound(_)
            | AdminError::WebsiteNotFound(_)
            | AdminError::NotAnId(_)
            | AdminError::EndpointNotFound(_)
            | AdminError::DeliveryNotFound(_)
            | AdminError::EventNotDelivered(_)
            | AdminError::LeadNotFound(_)
            | AdminError::UserNotFound
            | AdminError::KeyNotFound
            | AdminError::VoiceNotFound => Self::NotFound,
            AdminError::PageToken => Self::NoSuchListPage,
            AdminError::Busy(_) => Self::Busy,
            AdminError::Store(error) => match error {
                store::Error::LimitReached { .. } => Self::Refused(sentence(&error.to_string())),
                other => other.into(),
            },
            other => Self::Refused(sentence(&ErrorChain(&other).to_string())),
        }
    }
}

impl From<app::Error> for Failure {
    fn from(error: app::Error) -> Self {
        match error {
            app::Error::WebsiteNotFound
            | app::Error::NoSuchPage
            | app::Error::ArticleNotFound
            | app::Error::JobNotFound
            | app::Error::LeadNotFound
            | app::Error::ScheduledPostNotFound => Self::NotFound,
            app::Error::InvalidPageToken => Self::NoSuchListPage,
            app::Error::Unavailable(error) | app::Error::Store(error) => error.into(),
            other => Self::Refused(sentence(&other.to_string())),
        }
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::NotFound => Self::NotFound,
            PipelineError::Request(error) => error.into(),
            PipelineError::Store(error) => error.into(),
            PipelineError::NotAllowed(_) | PipelineError::Time(_) => Self::Refused(sentence(&error.to_string())),
        }
    }
}

/// Turns an error message into a sentence: error messages are lower case and have no full stop.
pub(super) fn sentence(fragment: &str) -> String {
    let mut characters = fragment.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let stop = if fragment.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{stop}", characters.as_str())
}
