//! Finds a page for every route of the dashboard by following links, as a user does.

use std::collections::BTreeMap;

use contentgen_server_stub::dashboard::{self, Access, Method};

use super::user::User;

/// Where the walk begins. No page leads to the second one yet.
const STARTS: [&str; 2] = ["/dashboard", "/dashboard/account/password"];

/// Fetches pages in the order in which their links are found, and tells what stands for each route.
/// A static part of a path goes before a parameter.
const WALK: &str = r"
    const [routes, starts, done] = arguments;
    const wanted = routes.map((route) => ({ route, pattern: new RegExp('^' + route.replace(/\{[^}]+\}/g, '[^/]+') + '$') }))
        .sort((one, other) => one.route.split('{').length - other.route.split('{').length);
    const found = {};
    const queue = starts;
    (async () => {
        for (const path of queue) {
            const entry = wanted.find(({ pattern }) => pattern.test(path));
            if (!entry || found[entry.route]) continue;
            const response = await fetch(path);
            found[entry.route] = { path, status: response.status, is_page: /^text\/html/.test(response.headers.get('content-type')) };
            if (!found[entry.route].is_page) continue;
            const page = new DOMParser().parseFromString(await response.text(), 'text/html');
            for (const link of page.querySelectorAll('a[href], form[action]:not([method=post])')) {
                const address = new URL(link.getAttribute('href') ?? link.getAttribute('action'), location.origin + path);
                if (address.origin === location.origin && !queue.includes(address.pathname)) queue.push(address.pathname);
            }
        }
        done(found);
    })();
";

#[derive(Debug, serde::Deserialize)]
struct Found {
    path: String,
    status: u16,
    is_page: bool,
}

/// The paths of pages of somebody who is signed in: one for each route that shows a page. Fails where a route cannot be
/// reached by links, or leads to a link that is broken.
pub(super) async fn pages(user: &User) -> Vec<String> {
    let routes = dashboard::routes();
    let routes = routes.iter().filter(|route| route.method == Method::Get && route.access == Access::SignedIn);
    let routes: Vec<_> = routes.map(|route| route.path).collect();
    user.open("/dashboard").await;
    let arguments = vec![serde_json::json!(routes), serde_json::json!(STARTS)];
    let found = user.session().execute_async(WALK, arguments).await.expect("pages may fetch from their server");
    let found: BTreeMap<String, Found> = found.convert().expect("the script tells what it found");
    for route in &routes {
        assert!(found.contains_key(*route), "no link leads to {route}; found {found:?}");
    }
    for (route, page) in &found {
        assert_eq!(page.status, 200, "a link to {route} is broken: {}", page.path);
    }
    found.into_values().filter(|page| page.is_page).map(|page| page.path).collect()
}
