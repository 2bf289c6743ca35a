//! Users of the account, and the one-time links with which they sign in. Only the hash of a link is stored, so only the response to
//! the form shows the link.

use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::super::{DisplayTime, Failure, FieldErrors, Form, Layout, Notice, Result, Section, Visit};
use crate::domain::user::{MAX_EMAIL_BYTES, MAX_USERS, SIGN_IN_LINK_LIFETIME, User};

#[derive(Template)]
#[template(path = "dashboard/account/users.html")]
struct UsersPage<'a> {
    layout: Layout,
    users: Vec<Row>,
    max_users: usize,
    max_email_bytes: usize,
    typed: &'a str,
    errors: FieldErrors,
}

struct Row {
    id: String,
    email: String,
    is_you: bool,
    has_password: bool,
    added: DisplayTime,
    last_sign_in: Option<DisplayTime>,
}

#[derive(Template)]
#[template(path = "dashboard/account/link.html")]
struct LinkPage<'a> {
    layout: Layout,
    email: &'a str,
    is_you: bool,
    url: String,
    expires: DisplayTime,
}

/// Shows the list.
pub(in crate::dashboard) async fn show(visit: Visit) -> Result {
    Ok(visit.page(&page(&visit, "", FieldErrors::default()).await?))
}

/// Adds a user and shows the first link.
pub(in crate::dashboard) async fn add(visit: Visit, form: Form) -> Result {
    let email = form.text("email");
    match visit.app().create_user(visit.account(), email).await {
        Ok(user) => show_link(&visit, &user).await,
        Err(error) => Ok(visit.form_again(&page(&visit, email, FieldErrors::of_change(error, "email")?).await?)),
    }
}

/// Creates another link for a user and shows it.
pub(in crate::dashboard) async fn link(visit: Visit, Path(user_id): Path<String>) -> Result {
    let user = visit.app().user(visit.account(), &user_id).await?;
    show_link(&visit, &user).await
}

async fn show_link(visit: &Visit, user: &User) -> Result<Response, Failure> {
    let expires = visit.app().clock().wall().plus(SIGN_IN_LINK_LIFETIME);
    let token = visit.app().create_sign_in_link(user).await?;
    Ok(visit.page(&LinkPage {
        layout: visit.layout("One-time link", Section::Account),
        email: &user.email,
        is_you: user.id == visit.who().user.id,
        url: visit.absolute(&format!("/dashboard/sign-in/{}", token.reveal())),
        expires: expires.into(),
    }))
}

async fn page<'a>(visit: &Visit, typed: &'a str, errors: FieldErrors) -> Result<UsersPage<'a>> {
    let users = visit.app().users(visit.account()).await?;
    let row = |user: User| Row {
        is_you: user.id == visit.who().user.id,
        id: user.id,
        email: user.email.into_inner(),
        has_password: user.password_hash.is_some(),
        added: user.created_at.into(),
        last_sign_in: user.last_sign_in_at.map(DisplayTime::from),
    };
    Ok(UsersPage {
        layout: visit.layout("Users", Section::Account),
        users: users.into_iter().map(row).collect(),
        max_users: MAX_USERS,
        max_email_bytes: MAX_EMAIL_BYTES,
        typed,
        errors,
    })
}

#[derive(Template)]
#[template(path = "dashboard/account/remove_user.html")]
struct RemovePage<'a> {
    layout: Layout,
    user_id: &'a str,
    email: &'a str,
    is_you: bool,
    is_last: bool,
}

/// Shows the confirmation page. It warns users who are about to remove themselves.
pub(in crate::dashboard) async fn show_removal(visit: Visit, Path(user_id): Path<String>) -> Result {
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
pub(in crate::dashboard) async fn remove(visit: Visit, Path(user_id): Path<String>) -> Result {
    let user = visit.app().user(visit.account(), &user_id).await?;
    visit.app().remove_user(visit.account(), &user.id).await?;
    if user.id != visit.who().user.id {
        return Ok(visit.redirect("/dashboard/account/users", Notice::UserRemoved));
    }
    Ok(visit.to_sign_in())
}
