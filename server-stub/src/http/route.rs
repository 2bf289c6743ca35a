//! The route table of the public API, its router, and the state that handlers share. A test compares the table with the OpenAPI
//! document.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, FromRequestParts as _, RawPathParams, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, get, on, post};
use http::HeaderMap;
use http::request::Parts;

use super::body::LargeBodies;
use super::operations::handle_request;
use super::problem::{Code, Problem};
use super::quotas::Quotas;
use super::{capture, confirmation, documentation, pages};
use crate::app::{App, Operation, Peer, PerSubject};
use crate::domain::public_url::PublicUrl;

/// A path with its only method. GET includes HEAD.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// Path, as written in the OpenAPI document.
    pub path: &'static str,
    /// Operation of the route.
    pub operation: Operation,
    /// True for POST, false for GET.
    pub is_post: bool,
}

/// Every route of the public API.
pub const ROUTES: [Route; 10] = [
    Route { path: "/api/v1/generate", operation: Operation::Generate, is_post: true },
    Route { path: "/api/v1/articles", operation: Operation::ListArticles, is_post: false },
    Route { path: "/api/v1/articles/{id}", operation: Operation::GetArticle, is_post: false },
    Route { path: "/api/v1/jobs/{job_id}", operation: Operation::GetJob, is_post: false },
    Route { path: "/api/v1/jobs/{job_id}/cancel", operation: Operation::CancelJob, is_post: true },
    Route { path: "/api/v1/leads", operation: Operation::ListLeads, is_post: false },
    Route { path: "/api/v1/leads/{lead_id}", operation: Operation::GetLead, is_post: false },
    Route { path: "/api/v1/scheduled_posts", operation: Operation::ListScheduledPosts, is_post: false },
    Route {
        path: "/api/v1/scheduled_posts/{scheduled_post_id}",
        operation: Operation::GetScheduledPost,
        is_post: false,
    },
    Route { path: "/api/v1/websites", operation: Operation::ListWebsites, is_post: false },
];

/// An operation of the lead form, which needs no key.
#[derive(Debug, Clone, Copy)]
pub struct FormRoute {
    /// Path, as written in the OpenAPI document.
    pub path: &'static str,
    /// Its `operationId`.
    pub id: &'static str,
    /// True for POST, false for GET.
    pub is_post: bool,
}

const CAPTURE: &str = "/capture/{website_id}";
const CONFIRMATION: &str = "/capture/{website_id}/confirmations/{token}";

/// Every route of the lead form.
pub const FORM_ROUTES: [FormRoute; 3] = [
    FormRoute { path: CAPTURE, id: "capture_lead", is_post: true },
    FormRoute { path: CONFIRMATION, id: "show_confirmation", is_post: false },
    FormRoute { path: CONFIRMATION, id: "confirm_lead", is_post: true },
];

/// Returns the label of a request for logs and metrics: an `operationId` of the document, or another part of the server. Logs
/// and metrics leave out the path, because a client can write anything in it.
pub(super) fn operation_of(method: &http::Method, path: &str) -> &'static str {
    let is_post = method == http::Method::POST;
    if let Some(route) = ROUTES.iter().find(|route| route.is_post == is_post && fits(route.path, path)) {
        return route.operation.as_str();
    }
    if let Some(route) = FORM_ROUTES.iter().find(|route| route.is_post == is_post && fits(route.path, path)) {
        return route.id;
    }
    match path.split('/').nth(1).unwrap_or_default() {
        "capture" => "capture_lead",
        "sites" => "hosted_site",
        "assets" | "robots.txt" => "asset",
        "problems" => "problem",
        "dashboard" => "dashboard",
        "docs" => "docs",
        "openapi.yaml" | "openapi.json" | "openapi-3.1.json" => "openapi",
        "healthz" => "healthz",
        "readyz" => "readyz",
        "" => "home",
        _ => "none",
    }
}

/// Returns true if `path` matches the template.
fn fits(template: &str, path: &str) -> bool {
    let (mut parts, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == given || part.starts_with('{') => {}
            _ => return false,
        }
    }
}

/// The part of this module that a process serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The public API, lead intake and the service's own pages.
    Everything,
    /// Only the service's own pages.
    ServicePages,
}

/// Resources that the handlers use.
#[derive(Debug)]
pub(super) struct Api {
    pub(super) app: Arc<App>,
    pub(super) quotas: Quotas,
    /// Base of links to other paths. Pages of its origin may send lead forms to any website.
    pub(super) public_url: PublicUrl,
    /// The same for the hosted site and the pages of lead forms.
    pub(super) site_url: PublicUrl,
    pub(super) deadlines: Deadlines,
    pub(super) large_bodies: LargeBodies,
    /// Requests of each key that wait for a job.
    pub(super) long_polls: PerSubject,
}

/// Maximum number of requests of a key that wait for a job at a time (`long_polls` under `x-limits`).
const MAX_LONG_POLLS: u32 = 100;

/// Time limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Limit for the headers. An idle connection is also closed after this time.
    pub headers: Duration,
    /// Limit for the body, from the time when the headers were read.
    pub body: Duration,
    /// Limit for the client to read the next 16 KiB of a response, or its rest.
    pub reading: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        let limit = Duration::from_secs(30);
        Self { headers: limit, body: limit, reading: limit }
    }
}

/// Returns the router of `part`, with `site` if it is everything. All other paths respond with `route_not_found`. The URLs are those
/// of the server and of the hosted site.
pub fn router(
    part: Part,
    app: Arc<App>,
    quotas: Quotas,
    (public_url, site_url): (PublicUrl, PublicUrl),
    deadlines: Deadlines,
    site: Router,
) -> Router {
    let (large_bodies, long_polls) = (LargeBodies::default(), PerSubject::new(MAX_LONG_POLLS));
    let api = Arc::new(Api { app, quotas, public_url, site_url, deadlines, large_bodies, long_polls });
    let mut router = Router::new();
    if part == Part::Everything {
        for route in ROUTES {
            router = router.route(route.path, method_router(route));
        }
        let capture = post(capture::capture_lead).options(capture::preflight);
        router = router.route(CAPTURE, only_of_form(capture, "POST, OPTIONS"));
        let confirmation = get(confirmation::show_confirmation).post(confirmation::confirm_lead);
        router = router.route(CONFIRMATION, only_of_form(confirmation, "GET, HEAD, POST"));
    }
    let site = site.route_layer(middleware::from_fn_with_state(Arc::clone(&api), charge_page));
    let site = if part == Part::Everything { site } else { Router::new() };
    router
        .route("/healthz", only(get(pages::healthz), "GET, HEAD"))
        .route("/readyz", only(get(pages::readyz), "GET, HEAD"))
        .route("/docs", only(get(documentation::docs), "GET, HEAD"))
        .route("/openapi.yaml", only(get(documentation::openapi_yaml), "GET, HEAD"))
        .route("/openapi.json", only(get(documentation::openapi_json), "GET, HEAD"))
        .route("/openapi-3.1.json", only(get(documentation::openapi_3_1_json), "GET, HEAD"))
        .route("/problems/{code}", only(get(pages::problem), "GET, HEAD"))
        .route("/", only(get(pages::home), "GET, HEAD"))
        .fallback(async || Problem::new(Code::RouteNotFound, "There is nothing at this path."))
        .with_state(api)
        .merge(site)
}

/// Charges a page of the hosted site to the reader's address. Its style sheet and script cost nothing.
async fn charge_page(
    State(api): State<Arc<Api>>,
    Extension(Peer(address)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let is_page = operation_of(request.method(), request.uri().path()) == "hosted_site";
    match is_page.then(|| api.quotas.charge_page(address, api.app.clock())) {
        Some(Err(problem)) => problem.into_response(),
        _ => next.run(request).await,
    }
}

fn method_router(route: Route) -> MethodRouter<Arc<Api>> {
    let (filter, allowed) = if route.is_post { (MethodFilter::POST, "POST") } else { (MethodFilter::GET, "GET, HEAD") };
    let handler = move |State(api): State<Arc<Api>>, request: Request| async move {
        handle_request(&api, route.operation, request).await
    };
    only(on(filter, handler), allowed)
}

fn only(router: MethodRouter<Arc<Api>>, allowed: &'static str) -> MethodRouter<Arc<Api>> {
    router.fallback(async move || Problem::method_not_allowed(allowed).into_response())
}

/// Allows only these methods of the lead form, whose responses may be pages.
fn only_of_form(router: MethodRouter<Arc<Api>>, allowed: &'static str) -> MethodRouter<Arc<Api>> {
    router.fallback(async move |State(api): State<Arc<Api>>, headers: HeaderMap| {
        capture::refusal(&api, &headers, Problem::method_not_allowed(allowed))
    })
}

/// Returns the decoded id in the path. An id that is not UTF-8 cannot exist, so it becomes an unknown id.
pub(super) async fn path_id(parts: &mut Parts) -> String {
    let params = RawPathParams::from_request_parts(parts, &()).await;
    params.ok().and_then(|params| params.iter().next().map(|(_, id)| id.to_owned())).unwrap_or_default()
}
