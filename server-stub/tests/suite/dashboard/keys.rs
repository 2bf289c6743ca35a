//! API keys: created and shown once, found, used and revoked.

use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::Method;

use super::browser::{Browser, Page};

const NEW: &str = "/dashboard/keys/new";

fn settings() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

/// Sends the form with its hidden fields.
async fn make(browser: &Browser, form: &Page, fields: &[(&str, &str)]) -> Page {
    let key_id = form.field("key_id");
    let fields: Vec<_> = [("key_id", key_id.as_str())].into_iter().chain(fields.iter().copied()).collect();
    browser.submit(form, NEW, &fields).await
}

fn secret(page: &Page) -> String {
    page.find(r#"<code id="secret">(cg_live_[0-9A-Za-z]+)</code>"#).unwrap()
}

/// Returns the status of the API's response to a request with that key.
async fn api(running: &Running, method: Method, path: &str, key: &str) -> u16 {
    let bearer = format!("Bearer {key}");
    let stranger = Browser::new(running.base_url().unwrap());
    stranger.once(method, path, None, &[("authorization", &bearer)]).await.status
}

#[tokio::test]
async fn a_key_is_shown_once_works_as_it_was_limited_and_is_refused_once_revoked() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let website_id = running.accounts()[0].website_id.clone();
    let form = browser.get(NEW).await;
    let typed = [
        ("name", "Shop <window>"),
        ("scope", "articles:read"),
        ("scope", "leads:read"),
        ("websites", "chosen"),
        ("website_id", website_id.as_str()),
        ("expires", "2999-12-31"),
    ];
    let made = make(&browser, &form, &typed).await;
    assert_eq!((made.status, made.address.as_str()), (200, NEW));
    assert_eq!(made.headers["cache-control"], "no-store");
    let key = secret(&made);
    made.expect(&format!("export CONTENTGEN_API_KEY={key}\nexport CONTENTGEN_WEBSITE_ID={website_id}"));
    made.expect(&format!("export CONTENTGEN_BASE_URL={}\n", running.base_url().unwrap()));
    made.expect("$CONTENTGEN_BASE_URL/api/v1/articles\"").expect("1 Jan 3000, 00:00 UTC");
    assert_eq!(api(&running, Method::GET, "/api/v1/articles", &key).await, 200);
    assert_eq!(api(&running, Method::POST, "/api/v1/generate", &key).await, 403);

    running.app().write_key_uses().await.unwrap();
    let list = browser.get("/dashboard/keys?search=SHOP&state=live").await;
    list.expect("Shop &#60;window&#62;").expect(&format!("…{}", &key[key.len() - 4..])).expect("articles:read");
    list.expect("Harbour Bakery").expect_not("small quota").expect_not(&key);
    assert!(
        list.find(r#"data-label="Last used"><time class="small nowrap" datetime="([^"]+)"#).is_some(),
        "{}",
        list.text
    );
    let revoke = list.find(r#"href="(/dashboard/keys/key_[0-9a-f]+/revoke)""#).unwrap();

    let asked = browser.get(&revoke).await;
    asked.expect("This cannot be undone").expect("It was last used on").expect_not(&key);
    browser.submit(&asked, &revoke, &[]).await.expect("The key is revoked");
    assert_eq!(api(&running, Method::GET, "/api/v1/articles", &key).await, 401);
    browser.submit(&asked, &revoke, &[]).await.expect("The key is revoked");
    browser.get(&revoke).await.expect("is revoked").expect_not("<button class=\"button danger\"");
    browser.get("/dashboard/keys?state=revoked").await.expect("Shop").expect_not("small quota");
    browser.get("/dashboard/keys?state=expired").await.expect("expired").expect_not("Shop");
    let trail = browser.get("/dashboard/account/audit").await;
    trail.expect("A platform key was made.").expect("A platform key was revoked.").expect_not(&key);
    assert_eq!(
        trail.text.matches(">A platform key was revoked.<").count(),
        2 + 1,
        "twice in the trail, once for the demonstration's own, and once in its filter"
    );
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_reload_of_the_page_with_the_key_makes_no_second_key() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get(NEW).await;
    let typed = [("name", "Twice"), ("scope", "jobs:read"), ("websites", "all")];
    secret(&make(&browser, &form, &typed).await);
    let again = make(&browser, &form, &typed).await;
    again.expect("so no second one was made").expect_not("cg_live_");
    let list = browser.get("/dashboard/keys?search=twice").await;
    assert_eq!(list.text.matches("Twice<p").count(), 1);
    // A new form creates a new key. Another account's form does not refer to a key of this account.
    secret(&make(&browser, &browser.get(NEW).await, &typed).await);
    assert_eq!(make(&browser, &browser.get("/dashboard").await, &typed).await.status, 403);
    assert!(running.stop().await);
}

#[tokio::test]
async fn what_is_wrong_with_a_key_is_told_and_what_was_typed_is_kept() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get(NEW).await;
    let foreign = running.accounts()[1].website_id.clone();
    let own = running.accounts()[0].website_id.clone();
    let good =
        [("name", "Mine"), ("scope", "jobs:read"), ("websites", "chosen"), ("website_id", &own), ("expires", "")];
    for (field, value, id, told) in [
        ("name", "", "name", "must not be empty"),
        ("name", &*"x".repeat(81), "name", "at most 80 characters"),
        ("scope", "everything", "scope", "at least one scope"),
        ("websites", "all", "websites", "although “All” is chosen"),
        ("website_id", &foreign, "websites", "no longer exists"),
        ("expires", "2001-01-01", "expires", "today or a later day"),
        ("expires", "soon", "expires", "today or a later day"),
    ] {
        let fields: Vec<_> =
            good.iter().map(|(name, text)| (*name, if *name == field { value } else { text })).collect();
        let page = make(&browser, &form, &fields).await;
        assert_eq!(page.status, 422, "{field} {value}");
        page.expect(told).expect(&format!("id=\"{id}-error\""));
        assert!(field == "name" || page.field("name") == "Mine", "the entered value is lost");
        assert_eq!(page.field("key_id"), form.field("key_id"));
    }
    secret(&make(&browser, &form, &good).await);
    assert!(running.stop().await);
}

#[tokio::test]
async fn without_an_active_website_or_room_the_form_says_what_to_do() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get(NEW).await;
    let typed = [("name", "More"), ("scope", "jobs:read"), ("websites", "all")];
    // The demonstration has four active keys.
    for _ in 4..20 {
        secret(&make(&browser, &browser.get(NEW).await, &typed).await);
    }
    browser.get(NEW).await.expect("All 20 keys are in use").expect("/dashboard/keys?state=live");
    let refused = make(&browser, &form, &typed).await;
    assert_eq!(refused.status, 422);
    refused.expect("All 20 keys are in use");

    let account = &running.accounts()[0];
    for website_id in [&account.website_id, &account.restricted_website_id, &account.pausable_website_id] {
        let path = format!("/dashboard/websites/{website_id}/status");
        browser.submit(&form, &path, &[("status", "paused")]).await.expect("The website is paused");
    }
    browser.get(NEW).await.expect("A key needs an active website").expect("/dashboard/websites/new");
    let refused = make(&browser, &form, &typed).await;
    assert_eq!(refused.status, 422);
    refused.expect("A key needs an active website");
    assert!(running.stop().await);
}

#[tokio::test]
async fn many_keys_are_shown_in_pages_that_keep_the_filter() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    for number in 0..30 {
        let typed = [("name", &*format!("Number {number:02}")), ("scope", "jobs:read"), ("websites", "all")];
        secret(&make(&browser, &browser.get(NEW).await, &typed).await);
        let list = browser.get("/dashboard/keys?search=number&state=live").await;
        let revoke = list.find(r#"href="(/dashboard/keys/key_[0-9a-f]+/revoke)""#).unwrap();
        browser.submit(&list, &revoke, &[]).await.expect("The key is revoked");
    }
    let first = browser.get("/dashboard/keys?search=number&state=revoked").await;
    first.expect("Number 29").expect_not("Number 00");
    let next = first.find(r#"rel="next" href="([^"]+)""#).unwrap();
    let last = browser.get(&next).await;
    last.expect("Number 00").expect_not("Number 29").expect("value=\"number\"");
    assert_eq!(browser.get(&next.replace("number", "other")).await.status, 404, "the token is of another list");
    assert!(running.stop().await);
}
