//! Route table of the dashboard's pages and forms. `guard` controls access.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};

use super::error::Failure;
use super::{
    Dashboard, account, articles, assets, guard, hooks, keys, leads, overview, pipeline, sign_in, theme, voices,
    websites,
};
use crate::app::App;
use crate::domain::public_url::PublicUrl;

/// Kind of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteKind {
    /// A page: it changes nothing.
    Page,
    /// A form: it requires the form token of its session.
    Form,
}

/// Access rule of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every visitor.
    Anyone,
    /// Signed-in users.
    SignedIn,
}

/// Entry of the route table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// Kind of the route.
    pub kind: RouteKind,
    /// Path with parameters in braces.
    pub path: &'static str,
    /// Access rule.
    pub access: Access,
}

/// Route table with its handlers.
pub(super) struct Table {
    access: Access,
    router: Router<Arc<Dashboard>>,
    routes: Vec<Route>,
}

impl Table {
    fn new(access: Access) -> Self {
        Self { access, router: Router::new(), routes: Vec::new() }
    }

    pub(super) fn get<H: Handler<T, Arc<Dashboard>>, T: 'static>(mut self, path: &'static str, handler: H) -> Self {
        self.router = self.router.route(path, get(handler));
        self.routes.push(Route { kind: RouteKind::Page, path, access: self.access });
        self
    }

    pub(super) fn post<H: Handler<T, Arc<Dashboard>>, T: 'static>(mut self, path: &'static str, handler: H) -> Self {
        self.router = self.router.route(path, post(handler));
        self.routes.push(Route { kind: RouteKind::Form, path, access: self.access });
        self
    }
}

/// Returns the routes for every visitor.
fn open_table() -> Table {
    Table::new(Access::Anyone)
        .get("/dashboard/sign-in", sign_in::form::show)
        .post("/dashboard/sign-in", sign_in::form::submit)
        .get("/dashboard/sign-in/{link}", sign_in::link::show)
        .post("/dashboard/sign-in/{link}", sign_in::link::submit)
}

/// Returns the routes for signed-in users. Each section adds its routes.
fn signed_in_table() -> Table {
    let table = Table::new(Access::SignedIn)
        .post("/dashboard/theme", theme::submit)
        .post("/dashboard/sign-out", sign_in::sign_out::submit);
    let parts = [
        account::routes,
        leads::routes,
        overview::routes,
        voices::routes,
        websites::routes,
        hooks::routes,
        keys::routes,
        pipeline::routes,
        articles::routes,
    ];
    parts.into_iter().fold(table, |table, add| add(table))
}

/// Returns every route except those of the style sheet, the script and the icons.
pub fn routes() -> Vec<Route> {
    [open_table().routes, signed_in_table().routes].concat()
}

/// Returns true if the path leads to a page for signed-in users. If several routes match, the route with the fewest parameters
/// wins, as in axum.
pub(super) fn is_page(path: &str) -> bool {
    let found: Vec<_> = path.split('/').collect();
    let parameters = |route: &Route| {
        let expected: Vec<_> = route.path.split('/').collect();
        let is_parameter = |part: &str| part.starts_with('{');
        let matches = expected.iter().zip(&found).all(|(part, found)| is_parameter(part) || part == found);
        let count = expected.iter().filter(|part| is_parameter(part)).count();
        (matches && expected.len() == found.len()).then_some(count)
    };
    let routes = signed_in_table().routes;
    let fewest = routes.iter().filter_map(parameters).min();
    routes.iter().any(|route| route.kind == RouteKind::Page && fewest.is_some() && parameters(route) == fewest)
}

/// Returns the dashboard's router. `public_url` is the public address of this server.
pub fn router(app: Arc<App>, public_url: PublicUrl) -> Router {
    let dashboard = Arc::new(Dashboard { app, public_url });
    let open = open_table().router.route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::anyone));
    let signed_in = signed_in_table().router.route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::signed_in));
    open.merge(signed_in)
        .route("/dashboard/assets/{name}", get(assets::asset))
        .route("/dashboard/", any(async || Failure::NotFound))
        .route("/dashboard/{*unknown}", any(async || Failure::NotFound))
        .method_not_allowed_fallback(async || Failure::WrongMethod)
        .route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::headers))
        .with_state(dashboard)
}
