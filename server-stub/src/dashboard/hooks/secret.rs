//! Secret of an endpoint: shown after registration, revealed and rotated.

use std::time::Duration;

use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::super::{DisplayTime, Failure, Form, Layout, Result, Section, Visit};
use crate::app::DEFAULT_SECRET_OVERLAP;
use crate::domain::hook::HookEndpoint;

/// Periods in which the former secret still signs after a rotation, in hours.
const OVERLAPS: [(u64, &str); 6] =
    [(0, "not at all: it leaked"), (1, "1 hour"), (24, "24 hours"), (48, "2 days"), (96, "4 days"), (168, "7 days")];

#[derive(Template)]
#[template(path = "dashboard/hooks/secret.html")]
struct SecretPage {
    layout: Layout,
    hook_id: String,
    url: String,
    /// The secret; empty if it is hidden.
    secret: String,
    is_new: bool,
    /// Time until which the former secret signs, after a rotation.
    former_until: Option<DisplayTime>,
    overlaps: Vec<(u64, &'static str)>,
    default_overlap: u64,
}

impl SecretPage {
    fn new(visit: &Visit, hook_id: &str, url: &str) -> Self {
        Self {
            layout: visit.layout("Signing secret", Section::Hooks),
            hook_id: hook_id.to_owned(),
            url: url.to_owned(),
            secret: String::new(),
            is_new: false,
            former_until: None,
            overlaps: OVERLAPS.into(),
            default_overlap: DEFAULT_SECRET_OVERLAP.as_secs() / 3600,
        }
    }
}

/// Returns the page of an endpoint that was just registered.
pub(super) fn page_of_new(visit: &Visit, endpoint: &HookEndpoint) -> Response {
    let page = SecretPage::new(visit, &endpoint.id, &endpoint.url);
    let layout = visit.layout("The endpoint is registered", Section::Hooks);
    visit.page(&SecretPage { layout, secret: endpoint.secret.reveal(), is_new: true, ..page })
}

/// Shows the actions on the secret, without the secret.
pub(in crate::dashboard) async fn show(visit: Visit, Path(hook_id): Path<String>) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    Ok(visit.page(&SecretPage::new(&visit, &hook_id, &view.state.endpoint.url)))
}

/// Reveals the secret, or rotates it and shows the new one.
pub(in crate::dashboard) async fn submit(visit: Visit, Path(hook_id): Path<String>, form: Form) -> Result {
    let view = visit.app().find_endpoint(visit.account(), &hook_id).await?;
    let page = SecretPage::new(&visit, &hook_id, &view.state.endpoint.url);
    match form.text("action") {
        "reveal" => {
            let secret = visit.app().reveal_secret(visit.account(), &hook_id).await?.reveal();
            Ok(visit.page(&SecretPage { secret, ..page }))
        }
        "rotate" => {
            let hours = form.text("overlap").parse().ok().filter(|hours| OVERLAPS.iter().any(|(one, _)| one == hours));
            let hours: u64 = hours.ok_or_else(|| {
                Failure::Refused("Choose how long the former secret signs, too: 0 to 7 days.".to_owned())
            })?;
            let overlap = Duration::from_hours(hours);
            let rotated = visit.app().rotate_secret(visit.account(), &hook_id, overlap).await?;
            let former_until = Some(DisplayTime::from(rotated.overlap_until));
            Ok(visit.page(&SecretPage { secret: rotated.secret.reveal(), former_until, ..page }))
        }
        _ => Err(Failure::Refused("A secret can be shown or rotated. Go back and choose one.".to_owned())),
    }
}
