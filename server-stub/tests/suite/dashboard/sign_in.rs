//! Signing in and out.

use std::sync::mpsc::channel;

use contentgen_server_stub::dashboard::{self, Access};
use contentgen_server_stub::server::{self, Running, Settings};
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use reqwest::Method;
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::browser::Browser;
use super::steps;
use crate::waiting::GIVE_UP_AFTER;

const PASSWORD: &str = "a long walk to the caf\u{e9}";

fn settings() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

#[tokio::test]
async fn a_link_signs_in_once_a_password_is_set_and_signs_in_from_then_on() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let account = &running.accounts()[0];
    browser.get("/dashboard").await.expect(&account.email).expect(&account.name);
    let used = browser.get(&format!("/dashboard/sign-in/{}", account.sign_in_token)).await;
    assert_eq!(used.status, 404);
    used.expect("This link was used before");

    let form = browser.get("/dashboard/account/password").await;
    let path = "/dashboard/account/password";
    let short = browser.submit(&form, path, &[("new", "short"), ("repeated", "short")]).await;
    assert_eq!(short.status, 422);
    short.expect("must have at least 12 characters").expect("aria-invalid");
    let differ = browser.submit(&form, path, &[("new", PASSWORD), ("repeated", "another one")]).await;
    differ.expect("The two passwords differ");
    let token = browser.cookie_line();
    let set = browser.submit(&form, path, &[("new", PASSWORD), ("repeated", PASSWORD)]).await;
    set.expect("Your password is set");
    assert_ne!(browser.cookie_line(), token, "the session kept its token");

    let other = Browser::new(running.base_url().unwrap());
    let form = other.get("/dashboard/websites?search=bakery").await;
    form.expect("Sign in");
    let next = form.field("next");
    assert_eq!(next, "/dashboard/websites?search=bakery");
    let fields = [("email", account.email.as_str()), ("password", "wrong"), ("next", next.as_str())];
    let wrong = other.submit(&form, "/dashboard/sign-in", &fields).await;
    assert_eq!(wrong.status, 422);
    wrong.expect("address or the password is wrong");
    assert_eq!(wrong.field("email"), *account.email, "the entered value is lost");
    let typed = format!(" {}", account.email.to_uppercase());
    // Another keyboard may decompose the accent.
    let fields =
        [("email", typed.as_str()), ("password", &PASSWORD.replace('\u{e9}', "e\u{301}")), ("next", next.as_str())];
    let page = other.submit(&form, "/dashboard/sign-in", &fields).await;
    assert_eq!((page.status, page.address.as_str()), (200, "/dashboard/websites?search=bakery"));

    other.submit(&page, "/dashboard/sign-out", &[]).await.expect("Sign in");
    other.get("/dashboard").await.expect("Sign in");
    assert!(running.stop().await);
}

#[tokio::test]
async fn too_many_failures_lock_an_address_whether_it_is_known_or_not() {
    let running = server::start(settings()).await.unwrap();
    let known = running.accounts()[0].email.to_string();
    for email in [known.as_str(), "nobody@example.com"] {
        let browser = Browser::new(running.base_url().unwrap());
        let form = browser.get("/dashboard/sign-in").await;
        let mut statuses = Vec::new();
        for _ in 0..7 {
            let fields = [("email", email), ("password", "wrong wrong wrong")];
            statuses.push(browser.submit(&form, "/dashboard/sign-in", &fields).await.status);
        }
        assert_eq!(statuses, [422, 422, 422, 422, 422, 429, 429], "{email}");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_session_gets_a_new_token_when_somebody_signs_in() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::new(running.base_url().unwrap());
    browser.get("/dashboard/sign-in").await;
    let before = browser.cookie_line();
    let attacker = Browser::new(running.base_url().unwrap());
    attacker.steal_cookies(&browser);
    let path = format!("/dashboard/sign-in/{}", running.accounts()[0].sign_in_token);
    let link = browser.get(&path).await;
    browser.submit(&link, &path, &[]).await.expect("Overview");
    assert_ne!(browser.cookie_line(), before);
    attacker.get("/dashboard").await.expect("Sign in");

    // A second sign-in ends the browser's earlier session.
    attacker.steal_cookies(&browser);
    attacker.get("/dashboard").await.expect("Overview");
    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    let user = app.user(&account, &running.accounts()[0].email).await.unwrap();
    let path = format!("/dashboard/sign-in/{}", app.create_sign_in_link(&user).await.unwrap().reveal());
    let link = browser.get(&path).await;
    browser.submit(&link, &path, &[]).await.expect("Overview");
    attacker.get("/dashboard").await.expect("Sign in");
    assert!(running.stop().await);
}

#[tokio::test]
async fn signing_in_leads_to_no_other_site() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get("/dashboard/account/password").await;
    let fields = [("new", PASSWORD), ("repeated", PASSWORD)];
    browser.submit(&form, "/dashboard/account/password", &fields).await.expect("Your password is set");
    for next in ["https://example.com", "//example.com", "/dashboard/../x", "/dashboardx", "/dashboard//x", "\\\\x"] {
        let other = Browser::new(running.base_url().unwrap());
        let form = other.get("/dashboard/sign-in").await;
        let csrf = form.field("csrf");
        let email = running.accounts()[0].email.to_string();
        let fields = [("csrf", csrf.as_str()), ("email", &email), ("password", PASSWORD), ("next", next)];
        let response = other.once(Method::POST, "/dashboard/sign-in", Some(&fields), &[]).await;
        assert_eq!(response.status, 303);
        let location = response.headers["location"].to_str().unwrap();
        assert!(location == "/dashboard" || location == "/dashboard/../x", "{next} leads to {location}");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_after_a_link_and_otherwise_asked_for_a_few_times() {
    let running = server::start(settings()).await.unwrap();
    let path = "/dashboard/account/password";
    let by_link = Browser::signed_in(&running, 0).await;
    let form = by_link.get(path).await;
    by_link.submit(&form, path, &[("new", PASSWORD), ("repeated", PASSWORD)]).await.expect("Your password is set");

    let email = running.accounts()[0].email.to_string();
    let by_password = Browser::new(running.base_url().unwrap());
    let form = by_password.get("/dashboard/sign-in").await;
    let fields = [("email", email.as_str()), ("password", PASSWORD)];
    by_password.submit(&form, "/dashboard/sign-in", &fields).await.expect("Overview");
    let form = by_password.get(path).await;
    form.expect("Current password");
    let another = "a short walk along the harbour";
    for told in ["is wrong"; 5].into_iter().chain(["was tried too often"]) {
        let fields = [("current", "wrong wrong wrong"), ("new", another), ("repeated", another)];
        let page = by_password.submit(&form, path, &fields).await;
        assert_eq!(page.status, 422);
        page.expect(told).expect("current-error");
    }

    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    let user = app.user(&account, &email).await.unwrap();
    let link = format!("/dashboard/sign-in/{}", app.create_sign_in_link(&user).await.unwrap().reveal());
    let again = Browser::new(running.base_url().unwrap());
    let asked = again.get(&link).await;
    again.submit(&asked, &link, &[]).await.expect("Overview");
    let form = again.get(path).await;
    form.expect_not("Current password");
    // Half an hour later the session is like any other.
    let earlier = |minutes: i64| {
        let statement = "UPDATE user_sessions SET created_at = created_at - ?1 WHERE can_reset = 1";
        steps::database(&running).execute(statement, [minutes * 60 * 1000]).unwrap();
    };
    earlier(30);
    again.get(path).await.expect("Current password").expect("for 15 minutes after that it is not asked for");
    earlier(-30);
    again.submit(&form, path, &[("new", another), ("repeated", another)]).await.expect("Your password is set");
    assert!(running.stop().await);
}

/// Ends the confirmation of all sessions, as time does.
fn forget_confirmations(running: &Running) {
    let statement = "UPDATE user_sessions SET confirmed_at = confirmed_at - 10 * 60 * 1000";
    steps::database(running).execute(statement, []).unwrap();
}

/// Signs in, and sets the password.
async fn with_password(running: &Running) -> Browser {
    let browser = Browser::signed_in(running, 0).await;
    let form = browser.get("/dashboard/account/password").await;
    let fields = [("new", PASSWORD), ("repeated", PASSWORD)];
    browser.submit(&form, "/dashboard/account/password", &fields).await.expect("Your password is set");
    browser
}

#[tokio::test]
async fn a_stolen_session_creates_no_access_and_takes_nothing_out() {
    let running = server::start(settings()).await.unwrap();
    let browser = with_password(&running).await;
    forget_confirmations(&running);
    let thief = Browser::new(running.base_url().unwrap());
    thief.steal_cookies(&browser);
    let page = thief.get("/dashboard/account/users").await;
    let before = steps::audit_trail(&running);
    let routes = dashboard::routes().into_iter().filter(|route| route.access == Access::Confirmed);
    let paths: Vec<_> = routes.map(|route| route.path.replace(['{', '}'], "")).collect();
    for part in ["users", "/link", "/remove", "/keys/new", "export", ".csv", "/secret"] {
        assert!(paths.iter().any(|path| path.ends_with(part)), "no route that ends with {part} needs the password");
    }
    for path in &paths {
        let asked = thief.submit(&page, path, &[("email", "thief@example.com")]).await;
        assert_eq!(asked.status, 403, "{path}");
        asked.expect("Your password").expect(&format!("action=\"{path}\"")).expect("value=\"thief@example.com\"");
        let fields = [("email", "thief@example.com"), ("current", "")];
        if path == &paths[0] {
            let refused = thief.submit(&page, path, &fields).await;
            assert_eq!(refused.status, 422, "{path}");
            refused.expect("The current password is wrong");
        }
    }
    assert_eq!(steps::audit_trail(&running), before);

    // The owner enters the password once, and then works for ten minutes.
    for fields in [&[("email", "friend@example.com"), ("current", PASSWORD)][..], &[("email", "other@example.com")]] {
        browser.submit(&page, "/dashboard/account/users", fields).await.expect("Copy the link now");
    }
    forget_confirmations(&running);
    let asked = browser.submit(&page, "/dashboard/account/users", &[("email", "third@example.com")]).await;
    assert_eq!(asked.status, 403);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_link_that_a_user_made_for_themself_resets_no_password() {
    let running = server::start(settings()).await.unwrap();
    let browser = with_password(&running).await;
    let email = running.accounts()[0].email.to_string();
    let users = browser.get("/dashboard/account/users").await;
    let path = users.find(r#"action="(/dashboard/account/users/user_[^/]+/link)""#).unwrap();
    let link = browser.submit(&users, &path, &[]).await.find("(/dashboard/sign-in/[A-Za-z0-9_-]{43})").unwrap();
    let thief = Browser::new(running.base_url().unwrap());
    let asked = thief.get(&link).await;
    thief.submit(&asked, &link, &[]).await.expect("Overview");
    let by = format!("by a one-time link of {email}");
    assert!(steps::audit_trail(&running).iter().any(|(action, _, detail)| action == "user.signed_in" && *detail == by));
    let form = thief.get("/dashboard/account/password").await;
    form.expect("Current password");
    let another = "a short walk along the harbour";
    let fields = [("new", another), ("repeated", another)];
    let refused = thief.submit(&form, "/dashboard/account/password", &fields).await;
    assert_eq!(refused.status, 422);
    refused.expect("current-error");
    assert_eq!(thief.submit(&form, "/dashboard/keys/new", &[]).await.status, 403);

    // After a link of the operator, one password can be set without the former one.
    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    let user = app.user(&account, &email).await.unwrap();
    let link = format!("/dashboard/sign-in/{}", app.create_sign_in_link(&user).await.unwrap().reveal());
    let asked = browser.get(&link).await;
    browser.submit(&asked, &link, &[]).await.expect("Overview");
    let form = browser.get("/dashboard/account/password").await;
    browser.submit(&form, "/dashboard/account/password", &fields).await.expect("Your password is set");
    browser.get("/dashboard/account/password").await.expect("Current password");
    assert!(running.stop().await);
}

/// The only thread for passwords is held, so the first request that ends is the one for which the queue has no place.
#[test]
fn when_many_passwords_wait_the_next_one_is_refused_and_does_not_count() {
    /// Two passwords are hashed at a time, and 32 wait.
    const PLACES: usize = 34;
    let runtime = Builder::new_current_thread().max_blocking_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        let running = server::start(Settings { trusted_proxies, ..settings() }).await.unwrap();
        let browser = Browser::new(running.base_url().unwrap());
        let form = browser.get("/dashboard/sign-in").await;
        let csrf = form.field("csrf");
        let (go_on, wait) = channel::<()>();
        let held = spawn_blocking(move || wait.recv());
        let sign_in = |number: usize| {
            let (browser, csrf) = (&browser, csrf.as_str());
            async move {
                let email = format!("person-{number}@example.com");
                let fields = [("csrf", csrf), ("email", email.as_str()), ("password", "wrong wrong wrong")];
                // Each comes from another network.
                let address = format!("2001:db8:{number}::1");
                let headers = [("x-forwarded-for", address.as_str())];
                browser.once(Method::POST, "/dashboard/sign-in", Some(&fields), &headers).await
            }
        };
        let mut attempts: FuturesUnordered<_> = (0..=PLACES).map(sign_in).collect();
        // Turns a hang into a failure.
        let refused = timeout(GIVE_UP_AFTER, attempts.next()).await.expect("one is refused").unwrap();
        assert_eq!((refused.status, refused.headers["retry-after"].to_str().unwrap()), (503, "5"));
        refused.expect("Too busy just now");
        drop(go_on);
        let statuses: Vec<_> = attempts.map(|page| page.status).collect().await;
        assert_eq!(statuses, [422; PLACES]);
        held.await.unwrap().unwrap_err();
        let attempts = "SELECT count(*) FROM sign_in_attempts";
        let counted = steps::database(&running).query_row(attempts, [], |row| row.get::<_, u32>(0)).unwrap();
        assert_eq!(counted as usize, 4 * PLACES, "an address and three networks of each attempt");
        assert!(running.stop().await);
    });
}
