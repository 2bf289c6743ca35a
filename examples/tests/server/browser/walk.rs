//! Finds a page for every route of the dashboard by following links, as a user does.

use std::collections::BTreeMap;

use contentgen_server_stub::dashboard::{self, Access, RouteKind};

use super::user::User;

/// Path of the first page.
const START: &str = "/dashboard";
/// Maximum number of pages of one route whose links are followed.
const MAX_VISITS: u32 = 6;

/// Script that fetches pages in the order in which it finds their links, and returns one page for each route. If a path matches
/// several routes, the route with the fewest parameters wins.
const WALK: &str = r"
    const [routes, queue, most, done] = arguments;
    const wanted = routes.map((route) => ({ route, pattern: new RegExp('^' + route.replace(/\{[^}]+\}/g, '[^/]+') + '$') }))
        .sort((one, other) => one.route.split('{').length - other.route.split('{').length);
    const found = {};
    const visits = {};
    (async () => {
        for (const path of queue) {
            const address = new URL(path, location.origin);
            const entry = wanted.find(({ pattern }) => pattern.test(address.pathname));
            if (!entry) continue;
            visits[entry.route] = (visits[entry.route] ?? 0) + 1;
            if (visits[entry.route] > most) continue;
            const response = await fetch(path);
            const is_file = /^attachment/.test(response.headers.get('content-disposition'));
            const is_page = !is_file && /^text\/html/.test(response.headers.get('content-type'));
            found[entry.route] ??= { path, status: response.status, is_page };
            if (!response.ok) found[entry.route] = { path, status: response.status, is_page };
            if (!is_page) continue;
            const page = new DOMParser().parseFromString(await response.text(), 'text/html');
            for (const link of page.querySelectorAll('a[href], form[action]:not([method=post])')) {
                const next = new URL(link.getAttribute('href') ?? link.getAttribute('action'), address);
                if (next.origin === location.origin && !queue.includes(next.pathname + next.search)) queue.push(next.pathname + next.search);
            }
        }
        done(found);
    })();
";

/// A page of a route.
#[derive(Debug)]
pub(super) struct Page {
    /// Path of the route, with parameters.
    pub(super) route: String,
    /// Path of the page, with ids in place of the parameters.
    pub(super) path: String,
}

#[derive(Debug, serde::Deserialize)]
struct Found {
    path: String,
    status: u16,
    is_page: bool,
}

/// Returns one page for each route that shows a page to a user who is signed in. Fails if no link leads to a route, or if a link is
/// broken.
pub(super) async fn pages(user: &User) -> Vec<Page> {
    let routes = dashboard::routes();
    let routes = routes.iter().filter(|route| route.kind == RouteKind::Page && route.access == Access::SignedIn);
    let routes: Vec<_> = routes.map(|route| route.path).collect();
    user.open(START).await;
    let arguments = vec![serde_json::json!(routes), serde_json::json!([START]), serde_json::json!(MAX_VISITS)];
    let found = user.session().execute_async(WALK, arguments).await.expect("pages may fetch from their server");
    let found: BTreeMap<String, Found> = found.convert().expect("the script returns the pages that it found");
    for route in &routes {
        assert!(found.contains_key(*route), "no link leads to {route}; found {found:?}");
    }
    for (route, page) in &found {
        assert_eq!(page.status, 200, "a link to {route} is broken: {}", page.path);
    }
    let pages = found.into_iter().filter(|(_, page)| page.is_page);
    pages.map(|(route, page)| Page { route, path: page.path }).collect()
}
