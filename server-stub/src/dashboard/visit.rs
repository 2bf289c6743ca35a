//! A request of somebody who is signed in: who it is, and what a page needs to be shown.

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::StatusCode;
use http::request::Parts;

use super::Dashboard;
use super::form::Form;
use super::layout::{Layout, Section, html};
use super::notice::Notice;
use super::session_cookie;
use super::theme::Theme;
use crate::app::App;
use crate::domain::account::{Account, Scope};
use crate::domain::audit::Actor;
use crate::domain::user::{BearerToken, SignedIn};

/// What `guard` found out.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) who: SignedIn,
    pub(super) csrf: String,
}

/// A request of somebody who is signed in.
pub(super) struct Visit {
    dashboard: Arc<Dashboard>,
    /// Acts as the user, whom the audit trail names.
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
    /// The use cases, carried out for the user.
    pub(super) fn app(&self) -> &App {
        &self.app
    }

    /// Who is signed in.
    pub(super) fn who(&self) -> &SignedIn {
        &self.session.who
    }

    /// The account that the user manages.
    pub(super) fn account(&self) -> &Account {
        &self.session.who.account
    }

    /// What the user may see: the whole account, and nothing of others.
    pub(super) fn scope(&self) -> Scope {
        self.account().scope()
    }

    /// What the paths of links begin with.
    pub(super) fn base(&self) -> &str {
        self.dashboard.public_url.path()
    }

    /// A path of the server as readers and callers know it.
    pub(super) fn absolute(&self, path: &str) -> String {
        self.dashboard.public_url.absolute(path)
    }

    /// What surrounds a page.
    pub(super) fn layout(&self, title: impl Into<String>, section: Section) -> Layout {
        let layout = Layout {
            base: self.base().to_owned(),
            title: title.into(),
            section: "",
            account_name: self.account().name.clone(),
            user_email: self.who().user.email.clone(),
            csrf: self.session.csrf.clone(),
            theme: self.theme.as_str(),
            notice: Notice::of(&self.query),
        };
        layout.with_section(section)
    }

    /// A page.
    #[expect(clippy::unused_self, reason = "a page is always shown to a visitor, and reads so")]
    pub(super) fn page(&self, page: &impl Template) -> Response {
        html(StatusCode::OK, page)
    }

    /// The page of a form that cannot be carried out as it was sent (RFC 9110, 15.5.21).
    #[expect(clippy::unused_self, reason = "a page is always shown to a visitor, and reads so")]
    pub(super) fn form_again(&self, page: &impl Template) -> Response {
        html(StatusCode::UNPROCESSABLE_ENTITY, page)
    }

    /// Leads to another page after a form was carried out, which says `notice`.
    pub(super) fn redirect(&self, path: &str, notice: Option<Notice>) -> Response {
        self.redirect_counting(path, notice, None)
    }

    /// The same with the number that the notice tells.
    pub(super) fn redirect_counting(&self, path: &str, notice: Option<Notice>, count: Option<u64>) -> Response {
        let separator = if path.contains('?') { '&' } else { '?' };
        let query = notice.map(|notice| format!("{separator}{}", notice.query(count))).unwrap_or_default();
        Redirect::to(&format!("{}{path}{query}", self.base())).into_response()
    }

    /// Gives the browser another token for its session.
    pub(super) fn set_token(&self, response: &mut Response, token: &BearerToken) {
        session_cookie::set(response, token, &self.dashboard.public_url);
    }

    /// Has the browser forget its session.
    pub(super) fn clear_token(&self, response: &mut Response) {
        session_cookie::clear(response, &self.dashboard.public_url);
    }
}
