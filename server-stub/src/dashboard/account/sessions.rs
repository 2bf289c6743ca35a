//! Sessions of the user: the list, and ending them.

use askama::Template;
use axum::extract::Path;

use super::super::error::{Failure, Result};
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use super::browser_name::browser_name;
use crate::domain::user::Session;

#[derive(Template)]
#[template(path = "dashboard/account/sessions.html")]
struct SessionsPage {
    layout: Layout,
    sessions: Vec<Row>,
    has_password: bool,
}

struct Row {
    id: String,
    /// Readable name, such as "Firefox on Linux".
    browser: String,
    /// The browser's `User-Agent` header.
    user_agent: String,
    is_this: bool,
    since: DisplayTime,
    last_seen: DisplayTime,
    expires: DisplayTime,
}

/// Shows the list.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    let sessions = visit.app().sessions(visit.who()).await?;
    let row = |session: Session| Row {
        browser: browser_name(&session.browser),
        user_agent: session.browser.into_inner(),
        is_this: session.id == visit.who().session.id,
        id: session.id,
        since: session.created_at.into(),
        last_seen: session.last_seen_at.into(),
        expires: session.expires_at.into(),
    };
    let sessions = sessions.into_iter().map(row).collect();
    let has_password = visit.who().user.password_hash.is_some();
    Ok(visit.page(&SessionsPage { layout: visit.layout("Sessions", Section::Account), sessions, has_password }))
}

/// Ends a session. Ending the current session signs the user out.
pub(in crate::dashboard) async fn end(visit: Visit, Path(session_id): Path<String>) -> Result {
    if session_id == visit.who().session.id {
        visit.app().sign_out(visit.who()).await?;
        return Ok(signed_out(&visit));
    }
    if !visit.app().end_session(visit.who(), &session_id).await? {
        return Err(Failure::NotFound);
    }
    Ok(visit.redirect("/dashboard/account/sessions", Some(Notice::SessionEnded)))
}

/// Ends all sessions of the user.
pub(in crate::dashboard) async fn sign_out_everywhere(visit: Visit) -> Result {
    visit.app().sign_out_everywhere(visit.who()).await?;
    Ok(signed_out(&visit))
}

fn signed_out(visit: &Visit) -> axum::response::Response {
    let mut response = visit.redirect("/dashboard/sign-in", None);
    visit.clear_token(&mut response);
    response
}
