//! The first page.

use askama::Template;

use super::error::Result;
use super::frame::{Frame, Section};
use super::visit::Visit;

#[derive(Template)]
#[template(path = "dashboard/overview.html")]
struct OverviewPage {
    frame: Frame,
    website_count: usize,
}

/// The page.
pub(super) async fn show(visit: Visit) -> Result {
    let website_count = visit.app().websites(visit.account()).await?.len();
    Ok(visit.page(&OverviewPage { frame: visit.frame("Overview", Section::Overview), website_count }))
}
