//! Websites: created, found, changed, paused and archived.

use contentgen_server_stub::server::{self, Settings};
use reqwest::Method;
use serde_json::json;

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
        ("name", "Evening <Courses> & \"more\" cafe\u{301}"),
        ("url", "http://example.com"),
        ("language", "de-AT"),
        ("time_zone", "Europe/Vienna"),
        ("needs_approval", "on"),
    ];
    let refused = browser.submit(&form, "/dashboard/websites/new", &typed).await;
    assert_eq!(refused.status, 422);
    refused.expect("must begin with https://").expect("id=\"url-error\"").expect("Evening &#60;Courses&#62;");
    assert_eq!(refused.field("language"), "de-AT", "the entered value is lost");

    let mut typed = typed;
    typed[1] = ("url", "https://courses.example.com");
    let made = browser.submit(&form, "/dashboard/websites/new", &typed).await;
    made.expect("The website is made").expect("Europe/Vienna");
    for typed in ["caf%C3%A9", "cafe%CC%81"] {
        browser.get(&format!("/dashboard/websites?search={typed}")).await.expect("courses.example.com");
    }
    let path = made.address.split('?').next().unwrap().to_owned();

    let mut changed = typed.to_vec();
    changed.extend([("word_count", "800"), ("lead_retention", "90d")]);
    changed.extend([
        ("consent_text", " You may <write> to me. "),
        ("privacy_url", "https://a.example/privacy"),
        ("double_opt_in", "on"),
        ("pages_at_url", "on"),
        ("full_text_feed", "on"),
    ]);
    let saved = browser.submit(&made, &path, &changed).await;
    saved.expect("The website is saved");
    let website_id = path.rsplit('/').next().unwrap();
    let told = |detail: &str| ("website.changed".to_owned(), website_id.to_owned(), detail.to_owned());
    assert_eq!(
        steps::audit_trail(&running)[0],
        told(
            "length of articles, leads are kept 90d, consent text, privacy page, double opt-in, place of pages, full text in the feed"
        )
    );
    assert_eq!((saved.field("word_count").as_str(), saved.field("lead_retention").as_str()), ("800", "90d"));
    assert_eq!(saved.field("consent_text"), "You may <write> to me.");
    saved.expect("name=\"pages_at_url\" value=\"on\" checked").expect("name=\"full_text_feed\" value=\"on\" checked");
    for (field, value, told) in [
        ("word_count", "many", "whole number"),
        ("word_count", "7", "200 to 5000"),
        ("lead_retention", "1h", "1d to 3650d"),
        ("consent_text", "You may \u{202e}write to me.", "plain text on one line"),
        ("consent_text", &"x".repeat(1001), "at most 1000 characters"),
        ("privacy_url", "http://a.example/privacy", "privacy page must begin with https://"),
        ("time_zone", "Mars/Olympus", "IANA"),
        ("language", "???", "BCP 47"),
        ("name", "", "must not be empty"),
    ] {
        let wrong: Vec<_> =
            changed.iter().map(|(name, text)| (*name, if *name == field { value } else { text })).collect();
        let page = browser.submit(&saved, &path, &wrong).await;
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
    browser.submit(&asked, &format!("{path}/status"), &[("status", "gone")]).await.expect("This is not possible now");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_user_sets_publishing_slots_and_sees_the_next_ones() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let website_id = running.accounts()[0].website_id.clone();
    let path = format!("/dashboard/websites/{website_id}");
    let page = browser.get(&path).await;
    page.expect_not("Next publishing slots");
    let typed = |slots| {
        let others = [("name", "Harbour Bakery"), ("url", "https://harbour-bakery.example"), ("language", "en")];
        [&others[..], &[("time_zone", "Europe/London"), ("publishing_slots", slots)]].concat()
    };
    for (slots, told) in [
        ("Tue at nine", "“at” is neither a day of the week nor a time; write slots like Tue,Thu 09:00"),
        ("Tue", "“Tue” has no time"),
        ("Tue 25:00", "hours from 00 to 23"),
        ("daily 1:00 2:00 3:00 4:00 5:00 6:00 7:00 8:00", "56 slots are too many, a website has at most 50"),
    ] {
        let refused = browser.submit(&page, &path, &typed(slots)).await;
        assert_eq!(refused.status, 422, "{slots}");
        refused.expect(told).expect("id=\"publishing_slots-error\"");
        assert_eq!(refused.field("publishing_slots"), slots, "the entered value is lost");
    }
    let saved = browser.submit(&page, &path, &typed("thursdays 9:00, tuesdays 9:00")).await;
    saved.expect("The website is saved").expect("Next publishing slots");
    assert_eq!(saved.field("publishing_slots"), "Tue,Thu 09:00");
    assert!(saved.text.matches(", 09:00 ").count() == 5, "five slots by the clocks of London: {}", saved.text);
    let told = |detail: &str| ("website.changed".to_owned(), website_id.clone(), detail.to_owned());
    assert!(steps::audit_trail(&running).contains(&told("publishing slots Tue,Thu 09:00")));
    browser.save(&path, &typed("")).await.expect("The website is saved").expect_not("Next publishing slots");
    assert_eq!(steps::audit_trail(&running)[0], told("no publishing slots"));
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_user_chooses_where_articles_go_and_sees_the_secret_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = Some(folder.path().to_owned());
    for publish_root in [None, root] {
        let has_files = publish_root.is_some();
        let running = server::start(Settings { publish_root, ..settings() }).await.unwrap();
        let browser = Browser::signed_in(&running, 0).await;
        let website = format!("/dashboard/websites/{}", running.accounts()[0].website_id);
        let path = format!("{website}/publishing");
        browser.get(&website).await.expect("Articles are published on the hosted site").expect(&path);
        let form = browser.get(&path).await;
        assert_eq!(form.text.contains("Front matter"), has_files, "{}", form.text);
        let push = |url| [("target", "push"), ("push_url", url)];
        let refused = browser.save(&path, &push("https://10.0.0.1/?token=hush")).await;
        assert_eq!(refused.status, 422);
        refused.expect("id=\"push_url-error\"").expect("the destination is not allowed");
        let told = browser.save(&path, &push("http://127.0.0.1:9/articles")).await;
        told.expect("whsec_").expect("it is not shown again");
        let again = browser.save(&path, &push("http://127.0.0.1:9/articles")).await;
        again.expect("Articles that are published from now on go there").expect_not("whsec_");
        browser.get(&website).await.expect("Articles are sent to http://127.0.0.1:9/articles");
        let mut renewed = push("http://127.0.0.1:9/articles").to_vec();
        renewed.push(("new_secret", "on"));
        browser.save(&path, &renewed).await.expect("whsec_");
        let directory = |folder| [("target", "directory"), ("folder", folder), ("front_matter", "toml")];
        if has_files {
            let refused = browser.save(&path, &directory("../secret")).await;
            assert_eq!(refused.status, 422);
            refused.expect("id=\"folder-error\"");
            browser.save(&path, &directory("posts")).await.expect("go there");
            browser.get(&website).await.expect("files in the folder posts");
        }
        browser.save(&path, &[("target", "hosted")]).await.expect("go there");
        let wrong = browser.save(&path, &[("target", "elsewhere")]).await;
        assert_eq!(wrong.status, 409, "{}", wrong.text);
        assert!(running.stop().await);
    }
}

/// Opens a form in two windows, and saves it in both.
async fn assert_no_lost_update(path: &str, own: &[(&str, &str)], other: &[(&str, &str)], (field, kept): (&str, &str)) {
    let running = server::start(settings()).await.unwrap();
    let path = path.replace("{website}", &running.accounts()[0].website_id);
    let path = path.replace("{hook}", &steps::register_hook(&running, 0).await);
    let (one, two) = (Browser::signed_in(&running, 0).await, Browser::new(running.base_url().unwrap()));
    two.steal_cookies(&one);
    let opened = one.get(&path).await;
    let saved = two.save(&path, other).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    let changed = two.get(&path).await.field(field);
    let refused = one.submit(&opened, &path, own).await;
    assert_eq!(refused.status, 422, "{path}");
    refused.expect("these settings were changed after you opened them").expect("Please check what you entered");
    assert_eq!(refused.field(field), kept, "the entered value is lost");
    assert_eq!(two.get(&path).await.field(field), changed, "the other change is lost");
    // The user read the message, and saves again.
    one.submit(&refused, &path, own).await;
    assert_eq!(one.get(&path).await.field(field), kept);
    // A form without the fingerprint is an old one, too.
    let csrf = two.get(&path).await.field("csrf");
    let fields: Vec<_> = [("csrf", csrf.as_str())].into_iter().chain(other.iter().copied()).collect();
    assert_eq!(two.once(Method::POST, &path, Some(&fields), &[]).await.status, 422);
    assert!(running.stop().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_user_saved_meanwhile_is_not_replaced_unasked() {
    let website = |name, words| {
        let others = [("url", "https://harbour-bakery.example"), ("language", "en"), ("time_zone", "Europe/London")];
        [&others[..], &[("name", name), ("word_count", words)]].concat()
    };
    let (own, other) = (website("Ada's bakery", ""), website("Harbour Bakery", "700"));
    assert_no_lost_update("/dashboard/websites/{website}", &own, &other, ("name", "Ada's bakery")).await;
    let push = |url| [("target", "push"), ("push_url", url)];
    let (own, other) = (push("http://127.0.0.1:9/own"), push("http://127.0.0.1:9/other"));
    let path = "/dashboard/websites/{website}/publishing";
    assert_no_lost_update(path, &own, &other, ("push_url", "http://127.0.0.1:9/own")).await;
    let hook = |url, events| [("url", url), ("event", events)];
    let (own, other) = (hook("http://127.0.0.1:9/own", "lead.captured"), hook("http://127.0.0.1:9/in", "job.failed"));
    assert_no_lost_update("/dashboard/hooks/{hook}/edit", &own, &other, ("url", "http://127.0.0.1:9/own")).await;
    let (own, other) = ([("name", "Own")], [("name", "Other")]);
    assert_no_lost_update("/dashboard/account", &own, &other, ("name", "Own")).await;
}

#[tokio::test]
async fn a_website_is_deleted_by_its_domain_and_then_unknown_to_the_api() {
    let running = server::start(steps::settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let (caller, account) = (steps::caller(&running, 0), &running.accounts()[0]);
    let order = json!({ "topic": "Rye", "website_id": account.website_id });
    let job = caller.generate(&order).await.json()["job_id"].as_str().unwrap().to_owned();
    steps::capture(&running, 0, &json!({ "email": "one@example.com", "name": "One Reader" })).await;
    let lead = steps::newest_lead(&running, 0).await;
    let website = format!("/dashboard/websites/{}", account.website_id);
    browser.get(&website).await.expect("Delete…");
    let path = format!("{website}/delete");
    let asked = browser.get(&path).await;
    asked.expect("scheduled posts: 1").expect("leads: 1").expect("files in publishing folders");
    let domain = asked.find("To confirm, type ([^ <]+)\\.<").unwrap();
    let refused = browser.submit(&asked, &path, &[("domain", "example.invalid")]).await;
    assert_eq!(refused.status, 422);
    refused.expect("must be the domain of the website").expect("id=\"domain-error\"");
    assert_eq!(caller.get(&format!("/api/v1/jobs/{job}")).await.status, 200);

    let deleted = browser.submit(&asked, &path, &[("domain", &domain.to_uppercase())]).await;
    deleted.expect("The website is deleted").expect_not(&account.website_id);
    for (path, code) in [
        (format!("/api/v1/jobs/{job}"), "job_not_found"),
        (format!("/api/v1/articles/{job}"), "article_not_found"),
        (format!("/api/v1/leads/{lead}"), "lead_not_found"),
    ] {
        assert_eq!(caller.get(&path).await.problem(), (404, code.to_owned()));
    }
    assert_eq!(caller.generate(&order).await.problem(), (422, "website_not_found".to_owned()));
    let visitor = caller.with_key(None);
    let (form, lead) = (format!("/capture/{}", account.website_id), json!({ "email": "a@example.com" }));
    assert_eq!(visitor.post_json(&form, &lead).await.problem(), (404, "route_not_found".to_owned()));
    assert_eq!(visitor.get(&format!("/sites/{}", account.website_id)).await.status, 404);
    for page in [website, path] {
        assert_eq!(browser.get(&page).await.status, 404);
    }
    let (action, subject, detail) = steps::audit_trail(&running).remove(0);
    assert_eq!((action.as_str(), subject), ("website.deleted", account.website_id.clone()));
    assert_eq!(detail, "0 articles, 1 leads");
    assert!(running.stop().await);
}
