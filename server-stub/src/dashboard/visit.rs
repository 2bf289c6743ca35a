//! Request of a signed-in user: the session, and helpers to build the response.

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use http::request::Parts;

use super::layout::html;
use super::theme::Theme;
use super::{Dashboard, Form, Layout, Notice, Paging, Section, session_cookie};
use crate::app::App;
use crate::domain::account::Account;
use crate::domain::audit::Actor;
use crate::domain::user::{BearerToken, SignedIn};
use crate::domain::visibility::Visibility;

/// Session that `guard` found.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) who: SignedIn,
    pub(super) csrf: String,
}

/// Request of a signed-in user.
pub(super) struct Visit {
    dashboard: Arc<Dashboard>,
    /// Acts as the user; the audit trail records the user's e-mail address.
    app: App,
    session: Session,
    theme: Theme,
    query: Form,
}

impl FromRequestParts<Arc<Dashboard>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, dashboard: &Arc<Dashboard>) -> Result<Self, Infallible> {
        let session = parts.extensions.get::<Session>().cloned();
        let session = session.expect("`routes` puts `guard::signed_in` before every page that takes a visit");
        Ok(Self {
            app: dashboard.app.acting_as(Actor::User(session.who.user.email.clone())),
            dashboard: Arc::clone(dashboard),
            session,
            theme: Theme::of(&parts.headers),
            query: Form::of_query(parts),
        })
    }
}

impl Visit {
    /// Returns the use cases, acting as the user.
    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// Returns the signed-in user and session.
    pub(super) fn who(&self) -> &SignedIn {
        &self.session.who
    }

    /// Returns the account that the user manages.
    pub(super) fn account(&self) -> &Account {
        &self.session.who.account
    }

    /// Returns the visibility of the user: the whole account, and no other account.
    pub(super) fn visibility(&self) -> Visibility {
        self.account().visibility()
    }

    /// Returns the prefix of all link paths.
    pub(super) fn base(&self) -> &str {
        self.dashboard.public_url.path()
    }

    /// Returns the public address of a path.
    pub(super) fn absolute(&self, path: &str) -> String {
        self.dashboard.public_url.absolute(path)
    }

    /// Returns the link to a page of the hosted site.
    pub(super) fn link_to_site(&self, path: &str) -> String {
        self.dashboard.site_url.link_from(&self.dashboard.public_url, path)
    }

    /// Returns the frame of a page.
    pub(super) fn layout(&self, title: impl Into<String>, section: Section) -> Layout {
        Layout {
            base: self.base().to_owned(),
            title: title.into(),
            section: section.as_str(),
            account_name: self.account().name.clone(),
            user_email: self.who().user.email.clone(),
            csrf: self.session.csrf.clone(),
            theme: self.theme.as_str(),
            notice: Notice::of(&self.query),
        }
    }

    /// Returns a page as a response.
    #[expect(clippy::unused_self, reason = "a page is always shown to a visitor, and reads so")]
    pub(super) fn page(&self, page: &impl Template) -> Response {
        html(StatusCode::OK, page)
    }

    /// Shows a form again because it cannot be processed: status 422 (RFC 9110, 15.5.21).
    #[expect(clippy::unused_self, reason = "a page is always shown to a visitor, and reads so")]
    pub(super) fn form_again(&self, page: &impl Template) -> Response {
        html(StatusCode::UNPROCESSABLE_ENTITY, page)
    }

    /// Redirects to another page after a form was processed. That page shows `notice`.
    pub(super) fn redirect(&self, path: &str, notice: Notice) -> Response {
        self.redirect_counting(path, notice, None::<u64>)
    }

    /// Redirects as `redirect` does, with a number for the notice.
    pub(super) fn redirect_counting(&self, path: &str, notice: Notice, count: impl Into<Option<u64>>) -> Response {
        let separator = if path.contains('?') { '&' } else { '?' };
        let query = notice.query(count.into());
        Redirect::to(&format!("{}{path}{separator}{query}", self.base())).into_response()
    }

    /// Redirects to the sign-in page, and deletes the session token in the browser.
    pub(super) fn to_sign_in(&self) -> Response {
        let mut response = Redirect::to(&format!("{}/dashboard/sign-in", self.base())).into_response();
        session_cookie::clear(&mut response, &self.dashboard.public_url);
        response
    }

    /// Returns the links of the list at `path`, which keep the parameters of `query` that are named in `filters`.
    pub(super) fn paging(&self, path: &str, query: &Form, filters: &[&str], next_page: Option<&str>) -> Paging {
        Paging::new(&format!("{}{path}", self.base()), query, filters, next_page)
    }

    /// Replaces the session token in the browser.
    pub(super) fn set_token(&self, response: &mut Response, token: &BearerToken) {
        session_cookie::set(response, token, &self.dashboard.public_url);
    }
}
