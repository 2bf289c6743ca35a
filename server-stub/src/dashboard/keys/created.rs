//! Page that shows a new key. It is shown only once.

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
    /// Website that the key may access.
    website_id: &'a str,
    request: Request,
    expires: Option<DisplayTime>,
}

/// Example of a first request.
#[derive(Debug, Clone, Copy)]
enum Request {
    /// Queues an article.
    Generate,
    /// Reads the given path.
    Read(&'static str),
}

impl Request {
    /// Returns a request that the key's API scopes allow.
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

/// Returns the page.
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
