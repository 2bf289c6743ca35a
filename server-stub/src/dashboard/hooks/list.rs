//! List of endpoints.

use askama::Template;

use super::super::error::Result;
use super::super::form::Form;
use super::super::layout::{Layout, Section};
use super::super::visit::Visit;
use super::display::DisplayedEndpoint;
use crate::domain::hook::MAX_ENDPOINTS;
use crate::domain::search::Search;

#[derive(Template)]
#[template(path = "dashboard/hooks/list.html")]
struct ListPage<'a> {
    layout: Layout,
    search: &'a str,
    has_endpoints: bool,
    is_full: bool,
    endpoints: Vec<DisplayedEndpoint>,
}

/// Shows the page. An account has few endpoints, so the list is not paginated.
pub(in crate::dashboard) async fn show(visit: Visit, query: Form) -> Result {
    let search = query.text("search");
    let websites = visit.app().websites(visit.account()).await?;
    let all = visit.app().list_endpoints(visit.account()).await?;
    let wanted = Search::parse(search);
    let is_wanted = |endpoint: &DisplayedEndpoint| {
        let texts = [endpoint.url.as_str(), &endpoint.description, &endpoint.id];
        let found = |text: &str| wanted.as_ref().is_none_or(|wanted| text.to_lowercase().contains(wanted.as_str()));
        texts.into_iter().any(found)
    };
    let endpoints = all.iter().map(|view| DisplayedEndpoint::new(view, &websites)).filter(is_wanted).collect();
    Ok(visit.page(&ListPage {
        layout: visit.layout("Hooks", Section::Hooks),
        search,
        has_endpoints: !all.is_empty(),
        is_full: all.len() >= MAX_ENDPOINTS,
        endpoints,
    }))
}
