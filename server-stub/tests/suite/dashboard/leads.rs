//! Leads: found, read, downloaded and erased.

use contentgen_server_stub::app::WebsiteSettings;
use contentgen_server_stub::domain::clock::Timestamp;
use contentgen_server_stub::domain::event::EventType;
use contentgen_server_stub::domain::lead_form::LeadForm;
use contentgen_server_stub::domain::time_zone::TimeZone;
use contentgen_server_stub::server::{self, Running, Settings};
use reqwest::Method;
use serde_json::{Value, json};

use super::browser::Browser;
use super::steps::{self, settings};
use crate::hooks::receiver::{Answer, Receiver};
use crate::plain_http;

/// Captures a lead on the account's website. Returns its id.
async fn capture(running: &Running, body: Value) -> String {
    steps::capture(running, 0, &body).await;
    steps::newest_lead(running, 0).await
}

#[tokio::test]
async fn a_lead_is_found_and_shown_with_all_that_is_known_of_it() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let empty = browser.get("/dashboard/leads").await;
    empty.expect("No leads yet").expect("ends with a form").expect("href=\"/dashboard/pipeline\"");
    empty.expect_not("Download CSV");
    let id = capture(
        &running,
        json!({
            "email": "robin@example.com", "name": "Robin <Reader>", "company": "Loaf & Sons", "phone": "+44 (0)20 7946 0000",
            "message": "Do you deliver?", "fields": { "loaves": "6" },
            "source": { "page_url": "https://harbour-bakery.example/x", "referrer": "https://search.example/",
                "form_id": "footer", "utm": { "campaign": "autumn" } },
            "consent": { "given": true, "text": "Yes, write to me." },
        }),
    )
    .await;
    capture(&running, json!({ "email": "ada@example.com" })).await;
    let list = browser.get("/dashboard/leads").await;
    list.expect("Robin &#60;Reader&#62;")
        .expect("ada@example.com")
        .expect("Harbour Bakery")
        .expect("From (Europe/London)");
    assert!(list.find(">[^<]* (GMT|BST)</time>").is_some(), "{}", list.text);
    let found = browser.get("/dashboard/leads?search=LOAF").await;
    found.expect("Robin &#60;Reader&#62;").expect_not("ada@example.com");
    browser.get("/dashboard/leads?search=50%25").await.expect("No lead matches");
    let zone = TimeZone::parse("Europe/London").unwrap();
    let captured = list.find(r#"<time datetime="([^"]+)""#).unwrap();
    let today = zone.day_of(Timestamp::parse(&captured).unwrap());
    browser.get(&format!("/dashboard/leads?from={today}&until={today}")).await.expect("ada@example.com");
    browser.get("/dashboard/leads?until=2001-01-01").await.expect("No lead matches");
    let refused = browser.get("/dashboard/leads?from=yesterday").await;
    assert_eq!(refused.status, 422);
    refused.expect("Write a date as year").expect_not("ada@example.com");
    browser.get("/dashboard/leads?from=2026-02-02&until=2026-02-01").await.expect("swap the two");
    browser.get("/dashboard/leads?article=art_unknown").await.expect("No lead matches").expect("does not have");

    let page = browser.get(&format!("/dashboard/leads/{id}")).await;
    for text in [
        "Robin &#60;Reader&#62;",
        "mailto:robin%40example.com",
        "href=\"tel:+442079460000\"",
        "<dt>Phone as typed</dt><dd>+44 (0)20 7946 0000</dd>",
        "Loaf &#38; Sons",
        "Do you deliver?",
        "<dt>loaves</dt><dd>6</dd>",
        "https://search.example/",
        "<dd>footer</dd>",
        "utm_campaign",
        "Yes, write to me.",
        "Agreed <time",
        "no hook asked for it",
    ] {
        page.expect(text);
    }
    assert_eq!(browser.get("/dashboard/leads/lead_unknown").await.status, 404);
    assert!(running.stop().await);
}

#[tokio::test]
async fn the_download_holds_what_the_filters_show_and_is_recorded_without_names() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    capture(&running, json!({ "email": "ada@example.com", "name": "=HYPERLINK(\"x\")", "message": "one,\ntwo" })).await;
    for number in 0..230 {
        let body = json!({ "email": format!("many{number}@example.com"), "name": "Many" });
        steps::capture(&running, 0, &body).await;
    }
    let list = browser.get("/dashboard/leads?search=many").await;
    list.expect("Older");
    let export = browser.submit(&list, "/dashboard/leads/export", &[("search", "many")]).await;
    assert_eq!(export.status, 200);
    let header = |name: &str| export.headers.get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(header("cache-control"), "no-store");
    let name = header("content-disposition");
    assert!(name.starts_with("attachment; filename=\"leads-20") && name.ends_with(".csv\""), "{name}");
    assert!(export.text.ends_with("\r\n"));
    assert_eq!(export.text.lines().count(), 231, "the head, and every lead of several pages once");
    export.expect("many0@example.com").expect("many229@example.com").expect_not("ada@example.com");

    let all = browser.submit(&list, "/dashboard/leads/export", &[]).await;
    all.expect("'=HYPERLINK(").expect("\"one,\ntwo\"");
    let trail = steps::audit_trail(&running);
    let exports: Vec<_> = trail.iter().filter(|(action, ..)| action == "leads.exported").collect();
    let entry = |detail: &str| ("leads.exported".to_owned(), String::new(), detail.to_owned());
    assert_eq!(exports, [&entry("231 leads"), &entry("230 leads")]);

    let refused = browser.submit(&list, "/dashboard/leads/export", &[("from", "soon")]).await;
    assert_eq!(refused.status, 409);
    assert_eq!(browser.once(Method::GET, "/dashboard/leads/export", None, &[]).await.status, 405);
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_lead_is_erased_once_it_was_told_what_goes_with_it() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    steps::register_hook(&running, 0).await;
    let id = capture(&running, json!({ "email": "ada@example.com" })).await;
    browser.get(&format!("/dashboard/leads/{id}")).await.expect("http://127.0.0.1:9/in").expect("pending");
    let asked = browser.get(&format!("/dashboard/leads/{id}/erase")).await;
    asked
        .expect("This cannot be undone")
        .expect("1 delivery of it to hooks, with 0 attempts")
        .expect("ada@example.com");
    let erased = browser.submit(&asked, &format!("/dashboard/leads/{id}/erase"), &[]).await;
    erased.expect("The lead is erased").expect("No leads yet").expect_not("ada@example.com");
    assert_eq!(browser.get(&format!("/dashboard/leads/{id}")).await.status, 404);
    let again = browser.submit(&asked, &format!("/dashboard/leads/{id}/erase"), &[]).await;
    assert_eq!(again.status, 404);
    assert_eq!(steps::audit_trail(&running)[0], ("lead.erased".to_owned(), id, String::new()));
    assert!(running.stop().await);
}

#[tokio::test]
async fn who_looks_at_a_lead_sees_whether_it_is_confirmed_and_never_the_link() {
    let running = server::start(Settings::demo()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let (name, website_id) = (&running.accounts()[0].name, &running.accounts()[0].website_id);
    let account = running.app().account(name).await.unwrap();
    let form = LeadForm { double_opt_in: true, ..LeadForm::default() };
    running.app().set_lead_form(&account, website_id, form).await.unwrap();
    // The receiver echoes the request, like servers in debug mode.
    let receiver = Receiver::start(&[("/in", Answer::Echo)]).await;
    let events = [EventType::LeadCaptured, EventType::LeadConfirmed];
    running.create_hook(name, &receiver.url("/in"), &events).await.unwrap();
    let id = capture(&running, json!({ "email": "ada@example.com" })).await;
    let hook = receiver.wait_for("/in", 1).await.remove(0);
    let hook: Value = serde_json::from_slice(&hook.body).unwrap();
    let link = hook["data"]["confirmation_url"].as_str().unwrap().to_owned();

    browser.get("/dashboard/leads").await.expect("unconfirmed</span>");
    let page = browser.get(&format!("/dashboard/leads/{id}")).await;
    page.expect("pending</span>").expect("Nobody has confirmed it yet").expect_not("/confirmations/");
    let log = browser.get("/dashboard/hooks/deliveries").await;
    let delivery = log.find(r#"href="(/dashboard/hooks/deliveries/dlv_[^"]*)""#).unwrap();
    let shown = browser.wait_for(&delivery, "200 OK").await;
    shown.expect("x-echo").expect_not(&link.rsplit('/').next().unwrap()[..16]);
    shown.expect("(hidden)").expect("acts for the person").expect("ada@example.com").expect_not("/confirmations/");
    let form = browser.get("/dashboard/leads/person").await;
    let told = browser.submit(&form, "/dashboard/leads/person/export", &[("email", "ada@example.com")]).await;
    told.expect(r#""status":"pending""#).expect(r#""confirmed_at":null"#).expect_not("/confirmations/");

    let confirmed = plain_http::following_client().post(&link).send().await.unwrap();
    assert_eq!(confirmed.status(), 200);
    receiver.wait_for("/in", 2).await;
    browser.get("/dashboard/leads").await.expect("ada@example.com").expect_not("unconfirmed</span>");
    let page = browser.get(&format!("/dashboard/leads/{id}")).await;
    page.expect("confirmed</span>").expect("The person confirmed <time").expect("lead.confirmed");
    let list = browser.get("/dashboard/leads").await;
    let csv = browser.submit(&list, "/dashboard/leads/export", &[]).await;
    csv.expect("\"confirmation\",\"confirmed_at\",\"updated_at\"\r\n")
        .expect("\"confirmed\",\"20")
        .expect_not("/confirmations/");
    let told = browser.submit(&form, "/dashboard/leads/person/export", &[("email", "ada@example.com")]).await;
    told.expect(r#""event":"lead.captured""#).expect(r#""event":"lead.confirmed""#);
    let asked = browser.get(&format!("/dashboard/leads/{id}/erase")).await;
    asked.expect("its 2 events").expect("2 deliveries").expect("One receiver may have got it");
    browser.submit(&asked, &format!("/dashboard/leads/{id}/erase"), &[]).await.expect("The lead is erased");
    browser.get("/dashboard/hooks/deliveries").await.expect_not("lead.confirmed</a>");
    assert!(running.stop().await);
}

#[tokio::test]
async fn a_person_is_told_everything_and_erased_everywhere() {
    let running = server::start(settings()).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    for (email, form) in [("ada@example.com", "a"), ("ADA@example.com", "b"), ("ada@example.com.au", "a")] {
        capture(&running, json!({ "email": email, "message": "Hello", "source": { "form_id": form } })).await;
    }
    browser.get("/dashboard/leads").await.expect("href=\"/dashboard/leads/person\"");
    let page = browser.get("/dashboard/leads/person").await;
    let refused = browser.submit(&page, "/dashboard/leads/person/export", &[("email", "ada")]).await;
    assert_eq!(refused.status, 422);
    refused.expect("Write the whole e-mail address");
    let told = browser.submit(&page, "/dashboard/leads/person/export", &[("email", " Ada@Example.com ")]).await;
    let told: Vec<Value> = told.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let forms: Vec<_> = told.iter().map(|lead| lead["lead"]["source"]["form_id"].as_str().unwrap()).collect();
    assert_eq!(forms, ["b", "a"]);
    assert!(told.iter().all(|lead| lead["event"]["id"].is_string() && lead["recipients"].is_array()), "{told:?}");

    let asked = browser.submit(&page, "/dashboard/leads/person/erase", &[("email", "ada@example.com")]).await;
    asked.expect("Erase all leads of ada@example.com?").expect("name=\"confirm\" value=\"yes\"");
    browser.get("/dashboard/leads?search=ada").await.expect("ADA@example.com");
    let fields = [("email", "ada@example.com"), ("confirm", "yes")];
    let done = browser.submit(&page, "/dashboard/leads/person/erase", &fields).await;
    done.expect("made of them: 2.");
    let left = browser.get("/dashboard/leads").await;
    left.expect("ada@example.com.au").expect_not("ADA@example.com");
    let told = browser.submit(&page, "/dashboard/leads/person/export", &[("email", "ada@example.com")]).await;
    assert_eq!(told.text, "");
    capture(&running, json!({ "email": "Jose\u{301}@example.com", "message": "Hello" })).await;
    let told = browser.submit(&page, "/dashboard/leads/person/export", &[("email", "jos\u{e9}@example.com")]).await;
    assert_eq!(told.text.lines().count(), 1, "an address in another Unicode form is the same address");
    // The audit trail shows the erasure, but not the person.
    browser.get("/dashboard/account/audit").await.expect("those of one person").expect_not("ada@example.com");
    assert!(running.stop().await);
}

#[tokio::test]
async fn days_are_those_of_the_website_or_of_utc_if_websites_differ() {
    let running = server::start(settings()).await.unwrap();
    let app = running.app();
    let account = app.account(&running.accounts()[0].name).await.unwrap();
    let former = app.website(&account, &running.accounts()[0].website_id).await.unwrap();
    let settings = WebsiteSettings {
        name: former.name.clone(),
        url: former.url.clone(),
        time_zone: "Pacific/Auckland".to_owned(),
        ..WebsiteSettings::default()
    };
    app.save_website(&account, &former, settings).await.unwrap();
    let browser = Browser::signed_in(&running, 0).await;
    let hook = steps::register_hook(&running, 0).await;
    let database = steps::database(&running);
    let limit = format!("UPDATE hook_endpoints SET website_id = '{}' WHERE id = '{hook}'", former.website_id);
    assert_eq!(database.execute(&limit, []).unwrap(), 1);
    let id = capture(&running, json!({ "email": "ada@example.com" })).await;
    // In Auckland it is 13 hours later: 3 December, 00:30.
    let time = Timestamp::parse("2026-12-02T11:30:00Z").unwrap().millis();
    let change = format!("UPDATE leads SET captured_at = {time} WHERE id = '{id}'");
    assert_eq!(database.execute(&change, []).unwrap(), 1);
    let website = format!("website={}", former.website_id);
    for (query, zone, is_listed) in [
        ("from=2026-12-02&until=2026-12-02".to_owned(), "UTC", true),
        ("from=2026-12-03&until=2026-12-03".to_owned(), "UTC", false),
        (format!("{website}&from=2026-12-02&until=2026-12-02"), "Pacific/Auckland", false),
        (format!("{website}&from=2026-12-03&until=2026-12-03"), "Pacific/Auckland", true),
    ] {
        let page = browser.get(&format!("/dashboard/leads?{query}")).await;
        page.expect(&format!("From ({zone})")).expect(&format!("Until ({zone})"));
        assert_eq!(page.text.contains("ada@example.com"), is_listed, "{query}");
        let mut fields = vec![("website", if zone == "UTC" { "" } else { &former.website_id })];
        fields.extend(query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(name, _)| *name != "website"));
        let export = browser.submit(&page, "/dashboard/leads/export", &fields).await;
        assert_eq!(export.text.contains("ada@example.com"), is_listed, "the export differs from the list: {query}");
    }
    assert_eq!(database.execute(&format!("UPDATE deliveries SET created_at = {time}"), []).unwrap(), 1);
    let endpoint = format!("endpoint={hook}");
    for (query, zone, is_listed) in [
        ("from=2026-12-02T11:00&until=2026-12-02T12:00".to_owned(), "UTC", true),
        ("from=2026-12-03T00:00&until=2026-12-03T01:00".to_owned(), "UTC", false),
        (format!("{endpoint}&from=2026-12-02T11:00&until=2026-12-02T12:00"), "Pacific/Auckland", false),
        (format!("{endpoint}&from=2026-12-03T00:00&until=2026-12-03T01:00"), "Pacific/Auckland", true),
    ] {
        let page = browser.get(&format!("/dashboard/hooks/deliveries?{query}")).await;
        page.expect(&format!("From ({zone})")).expect(&format!("Until ({zone})"));
        assert_eq!(page.text.contains("lead.captured</a>"), is_listed, "{query}");
        if is_listed {
            page.expect("3 Dec 2026, 00:30 NZDT");
        }
    }
    browser.get("/dashboard").await.expect("Days are those of UTC");
    assert!(running.stop().await);
}
