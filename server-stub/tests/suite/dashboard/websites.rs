//! Websites: made, found, changed, paused and archived.

use contentgen_server_stub::server::{self, Settings};

use super::browser::Browser;
use super::steps;

fn settings() -> Settings {
    Settings { is_worker: false, ..Settings::demo() }
}

#[tokio::test]
async fn a_website_is_made_changed_paused_and_archived() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let form = browser.get("/dashboard/websites/new").await;
    let typed = [
        ("name", "Evening <Courses> & \"more\""),
        ("url", "http://example.com"),
        ("language", "de-AT"),
        ("time_zone", "Europe/Vienna"),
        ("needs_approval", "on"),
    ];
    let refused = browser.submit(&form, "/dashboard/websites/new", &typed).await;
    assert_eq!(refused.status, 422);
    refused.expect("must begin with https://").expect("id=\"url-error\"").expect("Evening &#60;Courses&#62;");
    assert_eq!(refused.field("language"), "de-AT", "what was typed is gone");

    let mut typed = typed;
    typed[1] = ("url", "https://courses.example.com");
    let made = browser.submit(&form, "/dashboard/websites/new", &typed).await;
    made.expect("The website is made").expect("Europe/Vienna");
    let path = made.address.split('?').next().unwrap().to_owned();

    let mut changed = typed.to_vec();
    changed.extend([("word_count", "800"), ("lead_retention", "90d")]);
    let saved = browser.submit(&made, &path, &changed).await;
    saved.expect("The website is saved");
    let website_id = path.rsplit('/').next().unwrap();
    let told = |detail: &str| ("website.changed".to_owned(), website_id.to_owned(), detail.to_owned());
    assert_eq!(steps::audit_trail(&running)[0], told("length of articles, leads are kept 90d"));
    assert_eq!((saved.field("word_count").as_str(), saved.field("lead_retention").as_str()), ("800", "90d"));
    for (field, value, told) in [
        ("word_count", "many", "whole number"),
        ("word_count", "7", "200 to 5000"),
        ("lead_retention", "1h", "1d to 3650d"),
        ("time_zone", "Mars/Olympus", "IANA"),
        ("language", "???", "BCP 47"),
        ("name", "", "must not be empty"),
    ] {
        let wrong: Vec<_> =
            changed.iter().map(|(name, text)| (*name, if *name == field { value } else { text })).collect();
        let page = browser.submit(&made, &path, &wrong).await;
        assert_eq!(page.status, 422, "{field}");
        page.expect(told).expect(&format!("id=\"{field}-error\""));
    }

    let list = browser.get("/dashboard/websites?search=COURSES").await;
    list.expect("after approval").expect_not("Harbour Bakery</a>");
    let umlauts = [("name", "Ärztehaus"), ("url", "https://aerzte.example"), ("language", "de"), ("time_zone", "UTC")];
    let form = browser.get("/dashboard/websites/new").await;
    browser.submit(&form, "/dashboard/websites/new", &umlauts).await.expect("The website is made");
    for search in ["%C3%84RZTE", "%C3%A4rzte"] {
        browser.get(&format!("/dashboard/websites?search={search}")).await.expect("Ärztehaus");
    }
    browser.get("/dashboard/websites?search=nothing+like+it").await.expect("No website matches");
    browser.submit(&saved, &format!("{path}/status"), &[("status", "paused")]).await.expect("The website is paused");
    let asked = browser.get(&format!("{path}/archive")).await;
    asked.expect("You can activate it again later");
    browser
        .submit(&asked, &format!("{path}/status"), &[("status", "archived")])
        .await
        .expect("The website is archived");
    browser.get("/dashboard/websites?status=archived").await.expect("Evening &#60;Courses&#62;");
    let revived = browser.submit(&asked, &format!("{path}/status"), &[("status", "active")]).await;
    revived.expect("The website is active");
    browser.submit(&asked, &format!("{path}/status"), &[("status", "gone")]).await.expect("That cannot be done now");
    assert!(running.stop().await);
}
