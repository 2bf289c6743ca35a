//! Revocation of a key, after a confirmation: programs that use the key stop working.

use askama::Template;
use axum::extract::Path;

use super::super::error::Result;
use super::super::layout::{Layout, Section};
use super::super::notice::Notice;
use super::super::visit::Visit;
use super::list::{Row, website_names};
use crate::domain::key::KeyState;

#[derive(Template)]
#[template(path = "dashboard/keys/revoke.html")]
struct RevokePage {
    layout: Layout,
    key: Row,
}

/// Shows the confirmation page.
pub(in crate::dashboard) async fn show(visit: Visit, Path(key_id): Path<String>) -> Result {
    let key = visit.app().key(visit.account(), &key_id).await?;
    let now = visit.app().clock().wall();
    let key = Row::new(key, &website_names(&visit).await?, now);
    Ok(visit.page(&RevokePage { layout: visit.layout("Revoke a key", Section::Keys), key }))
}

/// Revokes the key.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(key_id): Path<String>) -> Result {
    // If another user has revoked the key meanwhile, this succeeds too.
    visit.app().revoke_key(visit.account(), &key_id).await?;
    Ok(visit.redirect("/dashboard/keys", Some(Notice::KeyRevoked)))
}
