//! Removal of a user, after a confirmation. The page warns users who are about to remove themselves.

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;

#[derive(Template)]
#[template(path = "dashboard/account/remove_user.html")]
struct RemovePage<'a> {
    layout: Layout,
    user_id: &'a str,
    email: &'a str,
    is_you: bool,
    is_last: bool,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(user_id): Path<String>) -> Result {
    let user = visit.app().user(visit.account(), &user_id).await?;
    Ok(visit.page(&RemovePage {
        layout: visit.layout("Remove a user", Section::Account),
        user_id: &user.id,
        email: &user.email,
        is_you: user.id == visit.who().user.id,
        is_last: visit.app().users(visit.account()).await?.len() == 1,
    }))
}

/// Removes the user.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(user_id): Path<String>) -> Result {
    let user = visit.app().user(visit.account(), &user_id).await?;
    visit.app().remove_user(visit.account(), &user.id).await?;
    if user.id != visit.who().user.id {
        return Ok(visit.redirect("/dashboard/account/users", Some(Notice::UserRemoved)));
    }
    let mut response = visit.redirect("/dashboard/sign-in", None);
    visit.clear_token(&mut response);
    Ok(response)
}
