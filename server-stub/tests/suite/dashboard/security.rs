//! Protection of the dashboard: form tokens, headers, cookies, and the separation from the API.

use contentgen_server_stub::dashboard::{self, Access, RouteKind};
use contentgen_server_stub::server::{self, Settings};
use reqwest::Method;

use super::browser::Browser;

fn settings() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

/// Returns a path of the table with a value for each parameter.
fn filled(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn without_a_session_every_route_leads_to_sign_in_and_changes_nothing() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::new(running.base_url().unwrap());
    let routes = dashboard::routes();
    assert!(routes.len() > 10);
    for route in routes.iter().filter(|route| route.access != Access::Anyone) {
        let (method, fields) = match route.kind {
            RouteKind::Page => (Method::GET, None),
            RouteKind::Form => (Method::POST, Some([("csrf", "x")])),
        };
        let fields = fields.as_ref().map(<[(&str, &str); 1]>::as_slice);
        let page = browser.once(method, &filled(route.path), fields, &[]).await;
        assert_eq!(page.status, 303, "{route:?}");
        assert!(page.headers["location"].to_str().unwrap().starts_with("/dashboard/sign-in?next="), "{route:?}");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn every_form_needs_the_form_token_of_its_session_and_comes_from_this_site() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let other = Browser::signed_in(&running, 1).await;
    let own = browser.get("/dashboard").await.field("csrf");
    let foreign = other.get("/dashboard").await.field("csrf");
    assert!(!own.is_empty() && own != foreign);
    for route in dashboard::routes().iter().filter(|route| route.kind == RouteKind::Form) {
        let path = filled(route.path);
        for token in ["", "x", foreign.as_str()] {
            let page = browser.once(Method::POST, &path, Some(&[("csrf", token)]), &[]).await;
            assert_eq!(page.status, 403, "{route:?} with the form token {token:?}");
            page.expect("This form is out of date");
        }
        for headers in [
            [("origin", "https://example.com"), ("sec-fetch-site", "")],
            [("origin", "null"), ("sec-fetch-site", "")],
            [("origin", ""), ("sec-fetch-site", "cross-site")],
            [("origin", ""), ("sec-fetch-site", "same-site")],
        ] {
            let page = browser.once(Method::POST, &path, Some(&[("csrf", own.as_str())]), &headers).await;
            assert_eq!(page.status, 403, "{route:?} from {headers:?}");
        }
        let page = browser.once(Method::POST, &path, None, &[("content-type", "text/plain")]).await;
        assert_eq!(page.status, 403, "{route:?} without a form");
    }
    browser.get("/dashboard").await.expect("Overview");
    assert!(running.stop().await);
}

#[tokio::test]
async fn every_page_carries_the_headers_that_protect_it() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    for route in dashboard::routes().iter().filter(|route| route.kind == RouteKind::Page) {
        let page = browser.once(Method::GET, &filled(route.path), None, &[]).await;
        assert!([200, 303, 404].contains(&page.status), "{route:?}: {}", page.status);
        let header = |name: &str| page.headers.get(name).map_or("", |value| value.to_str().unwrap());
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{route:?}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{route:?}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{route:?}");
        assert_eq!(header("referrer-policy"), "same-origin", "{route:?}");
        assert_eq!(header("cache-control"), "no-store", "{route:?}");
        page.expect_not(" style=\"").expect_not("<style").expect_not(" onclick=").expect_not("<script>");
    }
    for name in ["dashboard.css", "dashboard.js", "icons.svg"] {
        let asset = browser.once(Method::GET, &format!("/dashboard/assets/{name}"), None, &[]).await;
        assert_eq!(asset.status, 200, "{name}");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_cookie_is_hidden_from_scripts_and_bound_to_the_host_over_https() {
    let secure = Settings { public_url: Some("https://example.com/content".parse().unwrap()), ..settings() };
    for (settings, name, is_secure) in
        [(settings(), "contentgen_session=", false), (secure, "__Host-contentgen_session=", true)]
    {
        let running = server::start(settings).await.unwrap();
        let browser = Browser::new(running.base_url().unwrap());
        let page = browser.once(Method::GET, "/dashboard/sign-in", None, &[]).await;
        let cookie = page.headers["set-cookie"].to_str().unwrap();
        assert!(cookie.starts_with(name), "{cookie}");
        assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && cookie.contains("; Path=/;"));
        assert_eq!(cookie.ends_with("; Secure"), is_secure, "{cookie}");
        assert!(running.stop().await);
    }
}

#[tokio::test]
async fn the_api_takes_no_cookie_and_the_dashboard_no_key() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let api = browser.once(Method::GET, "/api/v1/websites", None, &[]).await;
    assert_eq!(api.status, 401, "the API took a cookie");
    let stranger = Browser::new(running.base_url().unwrap());
    let bearer = format!("Bearer {}", running.accounts()[0].api_key);
    let page = stranger.once(Method::GET, "/dashboard", None, &[("authorization", bearer.as_str())]).await;
    assert_eq!(page.status, 303, "the dashboard took a key");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_theme_is_kept_and_leads_back_to_a_page_of_the_dashboard() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let base_url = running.base_url().unwrap();
    let csrf = browser.get("/dashboard").await.expect_not("data-theme").field("csrf");
    let choose = async |theme, referrer: &str| {
        let fields = [("csrf", csrf.as_str()), ("theme", theme)];
        let answer = browser.once(Method::POST, "/dashboard/theme", Some(&fields), &[("referer", referrer)]).await;
        assert_eq!(answer.status, 303, "from {referrer}");
        answer.headers["location"].to_str().unwrap().to_owned()
    };
    assert_eq!(choose("dark", &format!("{base_url}/dashboard/leads?search=ada")).await, "/dashboard/leads?search=ada");
    browser.get("/dashboard/leads").await.expect("data-theme=\"dark\"");
    for foreign in ["https://example.com/elsewhere", "x", "", &format!("{base_url}/api/v1/articles")] {
        assert_eq!(choose("light", foreign).await, "/dashboard", "from {foreign:?}");
    }
    for route in dashboard::routes() {
        let back = choose("light", &format!("{base_url}{}", filled(route.path))).await;
        assert_ne!(browser.once(Method::GET, &back, None, &[]).await.status, 405, "back from {route:?}");
    }
    assert_eq!(choose("auto", "").await, "/dashboard");
    browser.get("/dashboard").await.expect_not("data-theme");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_form_has_so_many_bytes_and_fields_and_is_read_only_when_it_may_be_accepted() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let own = browser.get("/dashboard").await.field("csrf");
    let visitor = Browser::new(running.base_url().unwrap());
    let open = visitor.get("/dashboard/sign-in").await.field("csrf");
    let text = |bytes: usize| "x".repeat(bytes);
    for (who, path, csrf, most) in
        [(&browser, "/dashboard/account", &own, 512 * 1024), (&visitor, "/dashboard/sign-in", &open, 8 * 1024)]
    {
        let length_of_names = "csrf=&name=".len() + csrf.len();
        for (bytes, is_too_large) in [(most - length_of_names, false), (most - length_of_names + 1, true)] {
            let name = text(bytes);
            let page = who.once(Method::POST, path, Some(&[("csrf", csrf), ("name", &name)]), &[]).await;
            assert_eq!(page.status == 413, is_too_large, "{path} with {bytes} bytes: {}", page.status);
            if is_too_large {
                page.expect("512 KiB and 2000 fields").expect("8 KiB");
            }
        }
        // Size limits apply only to requests that would otherwise be accepted.
        let name = text(most);
        let fields = [("csrf", csrf.as_str()), ("name", name.as_str())];
        for header in [("content-type", "text/plain"), ("origin", "https://example.com")] {
            let headers = [header, ("sec-fetch-site", "")];
            assert_eq!(who.once(Method::POST, path, Some(&fields), &headers).await.status, 403, "{path} {header:?}");
        }
    }
    for (number, is_too_large) in [(2000, false), (2001, true)] {
        let mut fields = vec![("csrf", own.as_str()), ("name", "another name")];
        fields.resize(number, ("x", ""));
        let page = browser.once(Method::POST, "/dashboard/account", Some(&fields), &[]).await;
        assert_eq!(page.status == 413, is_too_large, "{number} fields: {}", page.status);
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn no_name_hides_characters_or_turns_the_writing_direction() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let key_id = browser.get("/dashboard/keys/new").await.field("key_id");
    for hidden in ["\u{202e}", "\u{2066}", "\u{200b}", "\u{ad}", "\u{3164}", "\u{7}"] {
        let (name, email) = (format!("Bakery{hidden}Miller"), format!("eve{hidden}@example.com"));
        let name = name.as_str();
        let website = [("name", name), ("url", "https://x.example"), ("language", "en"), ("time_zone", "UTC")];
        let hook = [("url", "http://127.0.0.1:9/in"), ("event", "lead.captured"), ("description", name)];
        let key = [("key_id", key_id.as_str()), ("name", name), ("scope", "jobs:read"), ("websites", "all")];
        for (path, fields, error) in [
            ("/dashboard/account", &[("name", name)][..], "The name must be plain text on one line"),
            ("/dashboard/account/users", &[("email", email.as_str())], "The e-mail address must look like"),
            ("/dashboard/keys/new", &key, "The name must be plain text on one line"),
            ("/dashboard/websites/new", &website, "The name must be plain text on one line"),
            ("/dashboard/hooks/new", &hook, "The description must be plain text on one line"),
        ] {
            let form = browser.get(path).await;
            let refused = browser.submit(&form, path, fields).await;
            assert_eq!(refused.status, 422, "{path} {hidden:?}");
            refused.expect(error);
        }
    }
    assert!(running.stop().await);
}
