//! Route table of the dashboard's pages and forms. `guard` controls access.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{any, get, post};
use http::HeaderMap;

use super::{
    Dashboard, Failure, Form, account, articles, confirm, guard, hooks, keys, layout, leads, overview, pipeline,
    sign_in, theme, voices, websites,
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
    /// Signed-in users who confirmed their session a short time ago.
    Confirmed,
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
struct Table {
    access: Access,
    router: Router<Arc<Dashboard>>,
    routes: Vec<Route>,
}

impl Table {
    fn new(access: Access) -> Self {
        Self { access, router: Router::new(), routes: Vec::new() }
    }

    fn get<H: Handler<T, Arc<Dashboard>>, T: 'static>(mut self, path: &'static str, handler: H) -> Self {
        self.router = self.router.route(path, get(handler));
        self.routes.push(Route { kind: RouteKind::Page, path, access: self.access });
        self
    }

    fn post<H: Handler<T, Arc<Dashboard>>, T: 'static>(mut self, path: &'static str, handler: H) -> Self {
        self.router = self.router.route(path, post(handler));
        self.routes.push(Route { kind: RouteKind::Form, path, access: self.access });
        self
    }
}

/// Returns the routes for every visitor.
fn open_table() -> Table {
    Table::new(Access::Anyone)
        .get("/dashboard/sign-in", sign_in::show)
        .post("/dashboard/sign-in", sign_in::submit)
        .get("/dashboard/sign-in/{link}", sign_in::show_link)
        .post("/dashboard/sign-in/{link}", sign_in::submit_link)
}

/// Returns the routes for signed-in users.
fn signed_in_table() -> Table {
    Table::new(Access::SignedIn)
        .post("/dashboard/theme", submit_theme)
        .post("/dashboard/sign-out", sign_in::sign_out)
        .get("/dashboard", overview::show)
        .get("/dashboard/account", account::name::show)
        .post("/dashboard/account", account::name::submit)
        .get("/dashboard/account/delete", account::delete::show)
        .post("/dashboard/account/delete", account::delete::submit)
        .get("/dashboard/account/users", account::users::show)
        .get("/dashboard/account/users/{user_id}/remove", account::users::show_removal)
        .get("/dashboard/account/password", account::password::show)
        .post("/dashboard/account/password", account::password::submit)
        .get("/dashboard/account/sessions", account::sessions::show)
        .post("/dashboard/account/sessions/sign-out", account::sessions::sign_out_everywhere)
        .post("/dashboard/account/sessions/{session_id}/end", account::sessions::end)
        .get("/dashboard/account/audit", account::audit::show)
        .get("/dashboard/leads", leads::list::show)
        .get("/dashboard/leads/person", leads::person::show)
        .post("/dashboard/leads/person/erase", leads::person::erase)
        .get("/dashboard/leads/{lead_id}", leads::show::show)
        .get("/dashboard/leads/{lead_id}/erase", leads::show::show_erasure)
        .post("/dashboard/leads/{lead_id}/erase", leads::show::erase)
        .get("/dashboard/voices", voices::list::show)
        .get("/dashboard/voices/new", voices::edit::show_new)
        .post("/dashboard/voices/new", voices::edit::create)
        .post("/dashboard/voices/check", voices::trial::submit)
        .get("/dashboard/voices/{voice_id}", voices::edit::show)
        .post("/dashboard/voices/{voice_id}", voices::edit::save)
        .post("/dashboard/voices/{voice_id}/default", voices::list::make_default)
        .get("/dashboard/voices/{voice_id}/remove", voices::list::show_removal)
        .post("/dashboard/voices/{voice_id}/remove", voices::list::remove)
        .get("/dashboard/voices/{voice_id}/versions", voices::versions::show)
        .post("/dashboard/voices/{voice_id}/restore", voices::versions::restore)
        .get("/dashboard/websites", websites::list::show)
        .get("/dashboard/websites/new", websites::edit::show_new)
        .post("/dashboard/websites/new", websites::edit::create)
        .get("/dashboard/websites/{website_id}", websites::edit::show)
        .post("/dashboard/websites/{website_id}", websites::edit::save)
        .get("/dashboard/websites/{website_id}/archive", websites::list::show_archiving)
        .post("/dashboard/websites/{website_id}/status", websites::list::set_status)
        .get("/dashboard/websites/{website_id}/delete", websites::delete::show)
        .post("/dashboard/websites/{website_id}/delete", websites::delete::submit)
        .get("/dashboard/websites/{website_id}/publishing", websites::publishing::show)
        .post("/dashboard/websites/{website_id}/publishing", websites::publishing::save)
        .get("/dashboard/hooks", hooks::endpoint::show_all)
        .get("/dashboard/hooks/new", hooks::edit::show_new)
        .get("/dashboard/hooks/deliveries", hooks::deliveries::show)
        .get("/dashboard/hooks/deliveries/redeliver", hooks::deliveries::show_redelivery)
        .post("/dashboard/hooks/deliveries/redeliver", hooks::deliveries::redeliver)
        .get("/dashboard/hooks/deliveries/{delivery_id}", hooks::delivery::show)
        .post("/dashboard/hooks/deliveries/{delivery_id}/redeliver", hooks::delivery::redeliver)
        .get("/dashboard/hooks/{hook_id}", hooks::endpoint::show)
        .post("/dashboard/hooks/{hook_id}/status", hooks::endpoint::set_status)
        .post("/dashboard/hooks/{hook_id}/test", hooks::endpoint::send_test)
        .post("/dashboard/hooks/{hook_id}/recover", hooks::endpoint::recover)
        .get("/dashboard/hooks/{hook_id}/edit", hooks::edit::show)
        .get("/dashboard/hooks/{hook_id}/secret", hooks::secret::show)
        .get("/dashboard/hooks/{hook_id}/remove", hooks::endpoint::show_removal)
        .post("/dashboard/hooks/{hook_id}/remove", hooks::endpoint::remove)
        .get("/dashboard/keys", keys::list::show)
        .get("/dashboard/keys/new", keys::create::show)
        .get("/dashboard/keys/{key_id}/revoke", keys::list::show_revocation)
        .post("/dashboard/keys/{key_id}/revoke", keys::list::revoke)
        .get("/dashboard/pipeline", pipeline::board::show)
        .get("/dashboard/pipeline/new", pipeline::new_article::show)
        .post("/dashboard/pipeline/new", pipeline::new_article::submit)
        .get("/dashboard/pipeline/{post_id}", pipeline::entry::show)
        .post("/dashboard/pipeline/{post_id}/schedule", pipeline::entry::schedule)
        .post("/dashboard/pipeline/{post_id}/unschedule", pipeline::entry::unschedule)
        .post("/dashboard/pipeline/{post_id}/retry", pipeline::entry::retry)
        .get("/dashboard/pipeline/{post_id}/cancel", pipeline::entry::show_cancellation)
        .post("/dashboard/pipeline/{post_id}/cancel", pipeline::entry::cancel)
        .get("/dashboard/articles", articles::list::show)
        .get("/dashboard/articles/{article_id}", articles::parts::preview)
        .get("/dashboard/articles/{article_id}/voice", articles::parts::voice)
        .get("/dashboard/articles/{article_id}/facts", articles::parts::facts)
        .get("/dashboard/articles/{article_id}/structured-data", articles::parts::structured_data)
        .get("/dashboard/articles/{article_id}/text", articles::parts::text)
        .get("/dashboard/articles/{article_id}/download.md", articles::download::markdown)
        .get("/dashboard/articles/{article_id}/download.html", articles::download::html)
        .get("/dashboard/articles/{article_id}/edit", articles::edit::show)
        .post("/dashboard/articles/{article_id}/edit", articles::edit::save)
        .post("/dashboard/articles/{article_id}/check", articles::edit::check)
        .post("/dashboard/articles/{article_id}/resend", articles::parts::resend)
        .get("/dashboard/articles/{article_id}/archive", articles::parts::show_archiving)
        .post("/dashboard/articles/{article_id}/archive", articles::parts::archive)
        .post("/dashboard/articles/{article_id}/restore", articles::parts::restore)
}

/// Returns the forms that create access, show a secret, or take data out. A thief of a session cannot use them.
fn confirmed_table() -> Table {
    Table::new(Access::Confirmed)
        .post("/dashboard/account/users", account::users::add)
        .post("/dashboard/account/users/{user_id}/link", account::users::link)
        .post("/dashboard/account/users/{user_id}/remove", account::users::remove)
        .post("/dashboard/account/audit.csv", account::audit::download)
        .post("/dashboard/leads/export", leads::export::submit)
        .post("/dashboard/leads/person/export", leads::person::export)
        .post("/dashboard/hooks/new", hooks::edit::create)
        .post("/dashboard/hooks/{hook_id}/edit", hooks::edit::save)
        .post("/dashboard/hooks/{hook_id}/secret", hooks::secret::submit)
        .post("/dashboard/keys/new", keys::create::submit)
}

/// Returns every route except those of the style sheet, the script and the icons.
pub fn routes() -> Vec<Route> {
    [open_table().routes, signed_in_table().routes, confirmed_table().routes].concat()
}

async fn submit_theme(State(dashboard): State<Arc<Dashboard>>, headers: HeaderMap, form: Form) -> Response {
    theme::submit(&dashboard, &headers, &form, is_page)
}

/// Returns true if the path leads to a page for signed-in users. If several routes match, the route with the fewest parameters
/// wins, as in axum.
fn is_page(path: &str) -> bool {
    let found: Vec<_> = path.split('/').collect();
    let parameters = |route: &Route| {
        let expected: Vec<_> = route.path.split('/').collect();
        let is_parameter = |part: &str| part.starts_with('{');
        let matches = expected.iter().zip(&found).all(|(part, found)| is_parameter(part) || part == found);
        let count = expected.iter().filter(|part| is_parameter(part)).count();
        (matches && expected.len() == found.len()).then_some(count)
    };
    let routes = [signed_in_table().routes, confirmed_table().routes].concat();
    let fewest = routes.iter().filter_map(parameters).min();
    routes.iter().any(|route| route.kind == RouteKind::Page && fewest.is_some() && parameters(route) == fewest)
}

/// Returns the dashboard's router. `public_url` is the public address of this server, `site_url` that of the hosted site.
pub fn router(app: Arc<App>, public_url: PublicUrl, site_url: PublicUrl) -> Router {
    let dashboard = Arc::new(Dashboard { app, public_url, site_url });
    let open = open_table().router.route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::anyone));
    let confirmed = confirmed_table().router.route_layer(from_fn_with_state(Arc::clone(&dashboard), confirm::guard));
    let signed_in = signed_in_table().router.merge(confirmed);
    let signed_in = signed_in.route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::signed_in));
    open.merge(signed_in)
        .route("/dashboard/assets/{name}", get(layout::asset))
        .route("/dashboard/", any(async || Failure::NotFound))
        .route("/dashboard/{*unknown}", any(async || Failure::NotFound))
        .method_not_allowed_fallback(async || Failure::WrongMethod)
        .route_layer(from_fn_with_state(Arc::clone(&dashboard), guard::headers))
        .with_state(dashboard)
}
