//! The account: its name, its users, their sessions, and the audit trail.

use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::Method;

use super::browser::{Browser, Page};
use super::steps;
use crate::waiting::until_ok;

const USERS: &str = "/dashboard/account/users";
const SESSIONS: &str = "/dashboard/account/sessions";

fn settings() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

/// Returns the path of the one-time link on a page.
fn link(page: &Page) -> String {
    page.find(r#"<code id="link">http://[^/]+(/dashboard/sign-in/[^<]+)</code>"#).unwrap()
}

/// Returns a browser that has signed in with that link.
async fn sign_in(running: &Running, link: &str) -> (Browser, Page) {
    let browser = Browser::new(running.base_url().unwrap());
    let mut page = browser.get(link).await;
    if page.status == 200 {
        page = browser.submit(&page, link, &[]).await;
    }
    (browser, page)
}

/// Returns the path of an action for a user on the users' page.
fn path_for(page: &Page, email: &str, end: &str) -> String {
    let row = page.text.split("<tr>").skip(1).find(|row| row.contains(email)).unwrap();
    let id = row.split("/users/").nth(1).unwrap().split('/').next().unwrap();
    format!("{USERS}/{id}/{end}")
}

#[tokio::test]
async fn an_account_is_renamed_to_any_name() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get("/dashboard/account").await;
    assert_eq!(form.field("name"), "harbour-bakery");
    for (name, told) in [("", "must not be empty"), (&*"x".repeat(81), "at most 80 characters")] {
        let refused = browser.submit(&form, "/dashboard/account", &[("name", name)]).await;
        assert_eq!(refused.status, 422, "{name}");
        refused.expect(told).expect("id=\"name-error\"");
        assert_eq!(refused.field("name"), name, "the entered value is lost");
    }
    let renamed = browser.submit(&form, "/dashboard/account", &[("name", "Harbour <Group>")]).await;
    renamed.expect("The account is renamed").expect("<strong>Harbour &#60;Group&#62;</strong>");
    // Saving the same name changes nothing and adds no audit entry.
    browser.save("/dashboard/account", &[("name", "Harbour <Group>")]).await.expect("The account is renamed");
    let trail = browser.get("/dashboard/account/audit?action=account.renamed").await;
    assert_eq!(trail.text.matches("harbour-bakery → Harbour &#60;Group&#62;").count(), 1);
    // Another account has this name. The user does not learn that, and commands find each account by its first name.
    let form = browser.get("/dashboard/account").await;
    let renamed = browser.submit(&form, "/dashboard/account", &[("name", "trail-workshop")]).await;
    renamed.expect("<strong>trail-workshop</strong>");
    let ids = async |name: &str| running.app().account(name).await.unwrap().id;
    assert_ne!(ids("trail-workshop").await, ids("harbour-bakery").await);
    renamed.expect(&ids("harbour-bakery").await);
    // A name in another Unicode form is the same name.
    browser.save("/dashboard/account", &[("name", "Cafe\u{301}")]).await.expect("The account is renamed");
    assert_eq!(browser.get("/dashboard/account").await.field("name"), "Caf\u{e9}");
    assert!(running.stop().await);
}

/// Starts on a database that a server has just used. On a busy machine, that server closes it shortly after it has stopped.
async fn start_again(settings: impl Fn() -> Settings) -> Running {
    until_ok("the server starts", async || server::start(settings()).await).await
}

#[tokio::test]
async fn a_demonstration_finds_its_accounts_again_whatever_they_are_called_now() {
    let folder = tempfile::TempDir::new().unwrap();
    let database = server::Database::At(format!("sqlite:{}", folder.path().join("own.db").display()));
    let settings = || Settings { database: database.clone(), ..settings() };
    let running = server::start(settings()).await.unwrap();
    let key = running.accounts()[0].api_key.clone();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get("/dashboard/account").await;
    browser.submit(&form, "/dashboard/account", &[("name", "Other")]).await.expect("The account is renamed");
    assert!(running.stop().await);
    let running = start_again(settings).await;
    assert_eq!((running.accounts()[0].name.as_str(), &running.accounts()[0].api_key), ("harbour-bakery", &key));
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_user_is_added_signs_in_by_a_link_and_is_removed() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let list = browser.get(USERS).await;
    list.expect("The last user cannot be removed").expect_not("Remove…");
    for (email, told) in
        [("nobody", "must look like name@example.com"), (running.accounts()[0].email.as_str(), "use another address")]
    {
        let refused = browser.submit(&list, USERS, &[("email", email)]).await;
        assert_eq!((refused.status, refused.field("email").as_str()), (422, email));
        refused.expect(told).expect("id=\"email-error\"");
    }
    let added = browser.submit(&list, USERS, &[("email", " Ada@Example.com")]).await;
    added.expect("it is not shown again").expect("ada@example.com").expect(" UTC</time>");
    assert_eq!(added.headers["cache-control"], "no-store");
    let first = link(&added);
    let (ada, page) = sign_in(&running, &first).await;
    page.expect("Overview").expect("ada@example.com");
    let (_, again) = sign_in(&running, &first).await;
    assert_eq!(again.status, 404);

    let list = browser.get(USERS).await;
    list.expect("Remove…").expect("none yet");
    let second = link(&browser.submit(&list, &path_for(&list, "ada@example.com", "link"), &[]).await);
    let remove = path_for(&list, "ada@example.com", "remove");
    let asked = browser.get(&remove).await;
    asked.expect("Remove ada@example.com?").expect("cannot sign in again").expect_not("yourself");
    let removed = browser.submit(&asked, &remove, &[]).await;
    removed.expect("The user is removed").expect_not("ada@example.com");
    ada.get("/dashboard").await.expect("Sign in");
    assert_eq!(sign_in(&running, &second).await.1.status, 404, "a link of somebody who was removed signs in");
    assert_eq!(browser.get(&remove).await.status, 404);
    assert!(running.stop().await);
}

#[tokio::test]
async fn whoever_removes_themselves_is_warned_and_the_last_one_stays() {
    let running = server::start(settings()).await.unwrap();
    let email = running.accounts()[0].email.clone();
    let browser = Browser::signed_in(&running, 0).await;
    let list = browser.get(USERS).await;
    let own = path_for(&list, &email, "remove");
    browser.get(&own).await.expect("is the last user").expect_not("Remove me");
    let refused = browser.submit(&list, &own, &[]).await;
    assert_eq!(refused.status, 409);
    refused.expect("add another one first");
    let added = browser.submit(&list, USERS, &[("email", "ada@example.com")]).await;
    let asked = browser.get(&own).await;
    asked.expect("You are about to remove yourself").expect("Remove me");
    browser.submit(&asked, &own, &[]).await.expect("Sign in");
    assert!(browser.cookie_line().is_empty() || !browser.get("/dashboard").await.text.contains("Overview"));
    let (ada, page) = sign_in(&running, &link(&added)).await;
    page.expect("Overview");
    ada.get("/dashboard/account/audit").await.expect("A user was removed.").expect(&email);
    assert!(running.stop().await);
}

#[tokio::test]
async fn an_account_has_at_most_twenty_users() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let list = browser.get(USERS).await;
    for number in 1..20 {
        let email = format!("user{number}@example.com");
        link(&browser.submit(&list, USERS, &[("email", email.as_str())]).await);
    }
    browser.get(USERS).await.expect("at most 20 users").expect_not("Add the user");
    let refused = browser.submit(&list, USERS, &[("email", "another@example.com")]).await;
    assert_eq!(refused.status, 422);
    refused.expect("limit of 20 users is reached");
    assert!(running.stop().await);
}

#[tokio::test]
async fn sessions_are_listed_and_end_one_by_one_or_all_at_once() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let mut others = Vec::new();
    for _ in 0..2 {
        let list = browser.get(USERS).await;
        let page = browser.submit(&list, &path_for(&list, &running.accounts()[0].email, "link"), &[]).await;
        others.push(sign_in(&running, &link(&page)).await.0);
    }
    let list = browser.get(SESSIONS).await;
    list.expect("<span class=\"count\">3</span>").expect("You have no password");
    assert_eq!(list.text.matches("this one</span>").count(), 1);
    let rows: Vec<_> = list.text.split("<tr>").filter(|row| row.contains("/end\"")).collect();
    let ends: Vec<_> = rows.iter().filter(|row| !row.contains("this one")).collect();
    let id = ends[0].split("/sessions/").nth(1).unwrap().split('/').next().unwrap();
    let end = format!("{SESSIONS}/{id}/end");
    browser.submit(&list, &end, &[]).await.expect("The session has ended").expect("<span class=\"count\">2</span>");
    assert_eq!(browser.submit(&list, &end, &[]).await.status, 404);
    let mut signed_in = 0;
    for other in &others {
        signed_in += usize::from(other.get("/dashboard").await.text.contains("Overview"));
    }
    assert_eq!(signed_in, 1);
    browser.submit(&list, &format!("{SESSIONS}/sign-out"), &[]).await.expect("Sign in");
    for other in others.iter().chain([&browser]) {
        other.get("/dashboard").await.expect_not("Overview");
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_trail_tells_who_did_what_when_and_to_what() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let account = &running.accounts()[0];
    let form = browser.get("/dashboard/websites/new").await;
    let typed = [("name", "=Sum(\"x\")"), ("url", "https://x.example"), ("language", "en"), ("time_zone", "UTC")];
    browser.submit(&form, "/dashboard/websites/new", &typed).await.expect("The website is made");
    let trail = browser.get("/dashboard/account/audit").await;
    trail.expect("A website was made.").expect("A user signed in.").expect(&account.email).expect("operator");
    trail.expect(&format!("href=\"/dashboard/websites/{}\"", account.website_id)).expect(" UTC</time>");
    assert!(
        trail.text.find("Sum(").unwrap() < trail.text.find(&account.website_id).unwrap(),
        "the newest is not first"
    );
    trail.expect_not(&running.accounts()[1].email).expect_not(&running.accounts()[1].website_id);

    let made = browser.get("/dashboard/account/audit?action=website.created&actor=BAKER").await;
    made.expect("Sum(").expect_not(&account.website_id);
    assert_eq!((made.field("action"), made.field("actor")), ("website.created".to_owned(), "BAKER".to_owned()));
    browser.get("/dashboard/account/audit?actor=nobody").await.expect("No entry matches");
    let file = browser
        .submit(&made, "/dashboard/account/audit.csv", &[("action", "website.created"), ("actor", "baker")])
        .await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"audit-trail.csv\"");
    let lines: Vec<_> = file.text.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 2, "{}", file.text);
    assert_eq!(lines[0].trim_start_matches('\u{feff}'), r#""time","actor","action","what","object","detail""#);
    assert!(lines[1].ends_with(r#","'=Sum(""x"")""#) && lines[1].contains(account.email.as_str()), "{}", lines[1]);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_long_trail_is_shown_in_pages_and_downloaded_whole() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    // More entries than one read of a download.
    for number in 0..120 {
        browser.save("/dashboard/account", &[("name", &*format!("name {number}"))]).await;
    }
    let mut page = browser.get("/dashboard/account/audit?action=account.renamed").await;
    let mut seen = page.text.matches(" → ").count();
    while let Some(next) = page.find(r#"rel="next" href="([^"]+)""#) {
        page = browser.get(&next).await;
        seen += page.text.matches(" → ").count();
    }
    assert_eq!(seen, 120);
    let file = browser.submit(&page, "/dashboard/account/audit.csv", &[("action", "account.renamed")]).await;
    assert_eq!(file.text.lines().count(), 121);
    assert!(running.stop().await);
}

#[tokio::test]
async fn where_there_is_nothing_a_page_says_so() {
    let running = server::start(settings()).await.unwrap();
    for browser in [Browser::signed_in(&running, 0).await, Browser::new(running.base_url().unwrap())] {
        for path in
            ["/dashboard/", "/dashboard/nothing", "/dashboard/websites/x/y/z", "/dashboard/%00", "/dashboard/keys/"]
        {
            let page = browser.once(Method::GET, path, None, &[]).await;
            assert_eq!(page.status, 404, "{path}");
            page.expect("Page not found").expect("To the overview");
            assert!(page.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
            assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
        }
        for (method, path) in [
            (Method::PUT, "/dashboard/websites"),
            (Method::DELETE, "/dashboard/sign-in"),
            (Method::POST, "/dashboard"),
            (Method::GET, "/dashboard/theme"),
            (Method::POST, "/dashboard/assets/dashboard.css"),
        ] {
            let page = browser.once(method.clone(), path, None, &[]).await;
            assert_eq!(page.status, 405, "{method} {path}");
            page.expect("This request is not supported");
            assert!(!page.headers["allow"].is_empty(), "{method} {path}");
            assert!(page.headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
        }
    }
    assert!(running.stop().await);
}

#[tokio::test]
async fn nobody_learns_that_an_address_is_used_in_another_account() {
    let running = server::start(settings()).await.unwrap();
    let email = running.accounts()[0].email.to_string();
    let passwords = ["a long walk to the harbour", "a short walk along the trail"];
    let set = async |browser: &Browser, password: &str| {
        let form = browser.get("/dashboard/account/password").await;
        let fields = [("new", password), ("repeated", password)];
        browser.submit(&form, "/dashboard/account/password", &fields).await.expect("Your password is set");
    };
    set(&Browser::signed_in(&running, 0).await, passwords[0]).await;
    let other = Browser::signed_in(&running, 1).await;
    let list = other.get(USERS).await;
    let add = async |email: &str| other.submit(&list, USERS, &[("email", email)]).await;
    let (known, unknown) = (add(&email).await, add("nobody@example.com").await);
    assert_eq!((known.status, known.text.len()), (unknown.status, unknown.text.len() + email.len() - 18));
    let (twin, page) = sign_in(&running, &link(&known)).await;
    page.expect("<strong>trail-workshop</strong>");
    set(&twin, passwords[1]).await;

    // Each password leads to its account, and signing in hashes once, because the salt is the same.
    for (password, account) in passwords.into_iter().zip(["harbour-bakery", "trail-workshop"]) {
        let browser = Browser::new(running.base_url().unwrap());
        let form = browser.get("/dashboard/sign-in").await;
        let fields = [("email", email.as_str()), ("password", password)];
        let page = browser.submit(&form, "/dashboard/sign-in", &fields).await;
        page.expect(&format!("<strong>{account}</strong>"));
    }
    let count =
        "SELECT count(*), count(DISTINCT substr(password_hash, 1, instr(password_hash, 'p=1$') + 26)) FROM users
                 WHERE password_hash IS NOT NULL";
    let counted = steps::database(&running).query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(counted, (2, 1));
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_last_user_deletes_the_account_with_its_name_and_the_password() {
    const DELETE: &str = "/dashboard/account/delete";
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let (account, caller) = (&running.accounts()[0], steps::caller(&running, 0));
    let list = browser.get(USERS).await;
    browser.submit(&list, USERS, &[("email", "ada@example.com")]).await;
    browser.get(DELETE).await.expect("The account has other users").expect_not("<form class=\"stack\"");
    let password = "a sentence that is long enough";
    let form = browser.get("/dashboard/account/password").await;
    let set = [("new", password), ("repeated", password)];
    browser.submit(&form, "/dashboard/account/password", &set).await.expect("Your password is set");
    let typed = [("name", account.name.as_str()), ("current", password)];
    let page = browser.get("/dashboard/account").await;
    page.expect("Delete the account…");
    browser.submit(&page, DELETE, &typed).await.expect("remove them first");
    let list = browser.get(USERS).await;
    browser.submit(&list, &path_for(&list, "ada@example.com", "remove"), &[]).await.expect("The user is removed");

    let asked = browser.get(DELETE).await;
    asked.expect("websites: 4").expect("This cannot be undone");
    for (name, current, told) in [
        ("trail-workshop", password, "must be the name of the account"),
        (account.name.as_str(), "another sentence that is wrong", "current password is wrong"),
    ] {
        // A right password does not count as a failure, whatever else is wrong.
        for _ in 0..if current == password { 6 } else { 1 } {
            let refused = browser.submit(&asked, DELETE, &[("name", name), ("current", current)]).await;
            assert_eq!(refused.status, 422);
            refused.expect(told);
        }
    }
    assert_eq!(caller.get("/api/v1/websites").await.status, 200);
    browser.submit(&asked, DELETE, &typed).await.expect("Sign in");
    browser.get("/dashboard").await.expect("Sign in");
    assert_eq!(caller.get("/api/v1/websites").await.problem(), (401, "invalid_credentials".to_owned()));
    assert_eq!(steps::caller(&running, 1).get("/api/v1/websites").await.status, 200);
    let (action, _, detail) = steps::audit_trail(&running).remove(0);
    assert_eq!((action.as_str(), detail.as_str()), ("account.deleted", "4 websites, 0 articles, 0 leads"));
    let actor: String = steps::database(&running)
        .query_row("SELECT actor FROM audit_entries WHERE action = 'account.deleted'", [], |row| row.get(0))
        .unwrap();
    assert!(actor.starts_with("user_"), "{actor}");
    assert!(running.stop().await);
}
