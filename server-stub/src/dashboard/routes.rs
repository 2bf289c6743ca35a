//! Every page and every form of the dashboard, in one table. Who may use them is decided in `guard`.

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

/// What a route is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteKind {
    /// A page: it changes nothing.
    Page,
    /// A form: it needs the form token of its session.
    Form,
}

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Anyone,
    /// Whoever is signed in.
    SignedIn,
}

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// What it is for.
    pub kind: RouteKind,
    /// With parameters in braces.
    pub path: &'static str,
    /// Who may use it.
    pub access: Access,
}

/// The table, with the handlers of its routes.
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

/// What everybody may use.
fn open_table() -> Table {
    Table::new(Access::Anyone)
        .get("/dashboard/sign-in", sign_in::form::show)
        .post("/dashboard/sign-in", sign_in::form::submit)
        .get("/dashboard/sign-in/{link}", sign_in::link::show)
        .post("/dashboard/sign-in/{link}", sign_in::link::submit)
}

/// What needs a session. Each part of the dashboard adds its own routes.
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

/// Every route but those of the style sheet, the script and the icons.
pub fn routes() -> Vec<Route> {
    [open_table().routes, signed_in_table().routes].concat()
}

/// Whether there is a page at the path, for somebody who is signed in. Of the routes that match the one with the fewest parameters
/// is meant, as axum has it.
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

/// The dashboard, which is reached below `public_url`.
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
