//! The page that shows a new key, this once.

use askama::Template;
use axum::response::Response;

use super::super::layout::{Layout, Section};
use super::super::time::DisplayTime;
use super::super::visit::Visit;
use crate::domain::account::{Website, WebsiteStatus};
use crate::domain::key::{ApiKey, Permission, Secret};

#[derive(Template)]
#[template(path = "dashboard/keys/created.html")]
struct MadePage<'a> {
    layout: Layout,
    name: &'a str,
    secret: &'a str,
    base_url: String,
    /// A website that the key may use.
    website_id: &'a str,
    request: Request,
    expires: Option<DisplayTime>,
}

/// The first request that somebody tries.
#[derive(Debug, Clone, Copy)]
enum Request {
    /// It queues an article.
    Generate,
    /// It reads what is at the path.
    Read(&'static str),
}

impl Request {
    /// A request that the key may send.
    fn of(permissions: &[Permission]) -> Self {
        let read = |permission: &Permission| match permission {
            Permission::GenerateWrite => Self::Generate,
            Permission::JobsRead => Self::Read("/api/v1/scheduled_posts"),
            Permission::ArticlesRead => Self::Read("/api/v1/articles"),
            Permission::LeadsRead => Self::Read("/api/v1/leads"),
            Permission::WebsitesRead => Self::Read("/api/v1/websites"),
        };
        permissions.first().map_or(Self::Generate, read)
    }
}

/// The page.
pub(super) fn page(visit: &Visit, key: &ApiKey, secret: &Secret, websites: &[Website]) -> Response {
    let may_use =
        |website: &&Website| key.website_ids.as_ref().is_none_or(|chosen| chosen.contains(&website.website_id));
    let usable: Vec<_> = websites.iter().filter(may_use).collect();
    let active = usable.iter().find(|website| website.status == WebsiteStatus::Active);
    let website_id = active.or(usable.first()).map_or("", |website| &website.website_id);
    visit.page(&MadePage {
        layout: visit.layout("The new key", Section::Keys),
        name: &key.name,
        secret: secret.reveal(),
        base_url: visit.absolute(""),
        website_id,
        request: Request::of(&key.permissions),
        expires: key.expires_at.map(DisplayTime::from),
    })
}
