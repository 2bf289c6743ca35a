//! Signing in and out.

use contentgen_server_stub::server::{self, Settings};
use reqwest::Method;

use super::browser::Browser;

const PASSWORD: &str = "a long walk along the harbour";

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
    wrong.expect("do not belong together");
    assert_eq!(wrong.field("email"), *account.email, "what was typed is gone");
    let typed = format!(" {}", account.email.to_uppercase());
    let fields = [("email", typed.as_str()), ("password", PASSWORD), ("next", next.as_str())];
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
