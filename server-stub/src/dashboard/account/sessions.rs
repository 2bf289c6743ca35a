//! Sessions of the user: the list, and ending them.

use askama::Template;
use axum::extract::Path;

use super::super::{DisplayTime, Failure, Layout, Notice, Result, Section, Visit};
use crate::domain::user::Session;

/// Tried in this order: most browsers also contain the names of their ancestors.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

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
        return Ok(visit.to_sign_in());
    }
    if !visit.app().end_session(visit.who(), &session_id).await? {
        return Err(Failure::NotFound);
    }
    Ok(visit.redirect("/dashboard/account/sessions", Notice::SessionEnded))
}

/// Ends all sessions of the user.
pub(in crate::dashboard) async fn sign_out_everywhere(visit: Visit) -> Result {
    visit.app().sign_out_everywhere(visit.who()).await?;
    Ok(visit.to_sign_in())
}

/// Derives a readable name such as "Firefox on Linux" from the `User-Agent` header. Recognises only common browsers.
fn browser_name(user_agent: &str) -> String {
    let find = |names: &[(&str, &'static str)]| {
        names.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("A browser on {system}"),
        (None, None) => "Unknown browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_browser_is_recognised_although_it_names_others() {
        for (user_agent, name) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.0", "Unknown browser"),
            ("", "Unknown browser"),
        ] {
            assert_eq!(browser_name(user_agent), name);
        }
    }
}
